/** Lines over a number, or bars over names. */
export type Chart =
  | {
      readonly kind: 'bars'
      readonly title: string
      readonly unit: string
      readonly bars: readonly { readonly name: string; readonly value: number }[]
    }
  | {
      readonly kind: 'lines'
      readonly title: string
      readonly unit: string
      /** What the points are over, on a logarithmic axis. */
      readonly over: string
      readonly lines: readonly {
        readonly name: string
        readonly points: readonly (readonly [x: number, y: number])[]
      }[]
    }
