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

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * The number of the line after some whole lines.
 *
 * @param first the number of the first of them
 * @param hasMarks whether marks set the numbers of the lines after them
 */
export function numberAfter(bytes: Uint8Array, first: number, hasMarks: boolean): number {
  let number = first;
  for (let start = 0; start < bytes.length; ) {
    const lineEnd = bytes.indexOf(lineFeed, start);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    const marked =
      hasMarks && end - start <= maxMarkLength + 1 ? markIn(bytes.subarray(start, end)) : undefined;
    number = marked ?? number + 1;
    start = end + 1;
  }
  return number;
}

function markIn(line: Uint8Array): number | undefined {
  const content = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  return readMark(Buffer.from(content).toString('latin1'));
}
