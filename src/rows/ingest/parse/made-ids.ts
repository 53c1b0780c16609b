import { hash } from 'node:crypto';
import { uuidOf } from '../encode/made-uuid.ts';

/**
 * Makes ids for the rows of a file that have none: from the file's first row, and the place and the text of the row. So a file
 * that is imported again, perhaps with more rows at its end or under another name, has the same ids, and equal rows of one
 * file, or of two files that begin differently, have different ones.
 */
export class MadeIds {
  readonly #source: string;
  #seed: string | undefined;

  /** @param seed of the file; by default, the first text that `begin` gets */
  constructor(source: string, seed?: string) {
    this.#source = source;
    this.#seed = seed;
  }

  /** What tells the file from others. Undefined before its first row. */
  get seed(): string | undefined {
    return this.#seed;
  }

  /** Called with the text of the file's first row; later calls change nothing. */
  begin(text: string): void {
    this.#seed ??= hash('sha256', text, 'hex');
  }

  /** @param number of the row's line in its file, from 1 */
  id(number: number, text: string): string {
    return uuidOf(hash('sha256', `${this.#seed}\n${this.#source}\n${number}\n${text}`, 'hex'));
  }
}
