/** A table as people read it: the first column is text, the others are numbers. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Lays a table out, line by line. */
export function tableLines({ columns, rows }: Table): string[] {
  const lines = [columns, ...rows]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines.map((line) =>
    line
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('   ')
      .trimEnd(),
  )
}
