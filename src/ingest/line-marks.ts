import { GatewayError } from '../errors.ts';
import type { Line } from './lines.ts';

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

/**
 * The lines without the marks among them, numbered as the marks say.
 *
 * @throws GatewayError BAD_USER_INPUT for a mark that goes back, or stands before another mark: each costs time
 */
export async function* markedLines(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let shift = 0;
  let last = 0;
  let isMarked = false;
  for await (const line of lines) {
    if (line.text.length <= longestMark && mark.test(line.text)) {
      const number = Number(line.text);
      if (isMarked || number <= last) {
        const message = `Line ${line.number}: a line number must stand before a row, and be larger than the last row's.`;
        throw new GatewayError('BAD_USER_INPUT', message);
      }
      shift = number - line.number - 1;
      isMarked = true;
    } else {
      last = line.number + shift;
      isMarked = false;
      yield { ...line, number: last };
    }
  }
}
