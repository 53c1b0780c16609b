import { GatewayError } from '../../../base/errors/errors.ts';
import type { LineMark, ParsedChunk } from './parsed-chunk.ts';

/** The numbers of lines in successive chunks, taking marks into account. */
export class LineNumbers {
  /** How many lines the former chunks had. */
  #before = 0;
  /** What the marks add to the numbers. */
  #shift = 0;
  /** The last mark of this chunk. */
  #markAt = 0;
  /** Whether there was no row since the last mark. */
  #isMarked = false;
  /** The number of the last row before that. */
  #last = 0;

  get before(): number {
    return this.#before;
  }

  /** The number of a line in the input, by its number in this chunk. */
  of(line: number): number {
    return this.#before + line + this.#shift;
  }

  /**
   * Numbers the lines after a mark.
   *
   * @throws GatewayError BAD_USER_INPUT for a mark that goes back, or precedes another mark: each costs time
   */
  mark({ line, number, lastRow }: LineMark): void {
    this.#pass(lastRow);
    if (this.#isMarked || number <= this.#last) {
      const message = `Line ${this.#before + line}: expected a line number before the row, larger than that of the previous row.`;
      throw new GatewayError('BAD_USER_INPUT', message);
    }
    this.#shift = number - (this.#before + line) - 1;
    this.#markAt = line;
    this.#isMarked = true;
  }

  /** Ends the chunk, after all of its marks. */
  end({ lines, lastRow }: ParsedChunk): void {
    this.#pass(lastRow);
    this.#before += lines;
    this.#markAt = 0;
  }

  #pass(lastRow: number): void {
    if (lastRow <= this.#markAt) return;
    this.#last = this.of(lastRow);
    this.#isMarked = false;
  }
}
