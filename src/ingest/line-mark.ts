/** As many digits as every whole number can have exactly. */
const mark = /^\d{1,15}$/;
const longestMark = 15;

/**
 * A line that says which number the next one has in its file. The import command leaves lines out, and the server should still
 * report errors by the lines of the file. No row looks like it.
 */
export function lineMark(number: number): string {
  return `${number}\n`;
}

/** The number that a line gives the next one, if it is such a line. */
export function readMark(line: string): number | undefined {
  return line.length <= longestMark && mark.test(line) ? Number(line) : undefined;
}
