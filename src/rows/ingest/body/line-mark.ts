/** The most digits that every whole number can have exactly. */
const mark = /^\d{1,15}$/;
const maxMarkLength = 15;

/**
 * A line with the number of the next line in its file. The import command leaves lines out, and the server should still
 * report errors by the lines of the file. No row looks like it.
 */
export function lineMark(number: number): string {
  return `${number}\n`;
}

/** The number in a line, if the line is a mark. */
export function readMark(line: string): number | undefined {
  return line.length <= maxMarkLength && mark.test(line) ? Number(line) : undefined;
}
