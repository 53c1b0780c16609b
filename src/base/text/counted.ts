/** Formats a count with its noun: `1 row`, `2,000 rows`. The plural ends in s. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
