/** A count for people: `100,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
