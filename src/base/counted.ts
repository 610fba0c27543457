/** A number with the words that fit it: `1 report waits`, `2 reports wait`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
