/**
 * Where a Redis comes from: a server somebody else runs, a binary on this machine (`env` is what it needs to find its
 * libraries), or a container.
 */
export type RedisSource =
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'binary'
      readonly path: string
      readonly env?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'docker' }
