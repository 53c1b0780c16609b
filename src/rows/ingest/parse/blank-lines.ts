import { GatewayError } from '../../../base/errors/errors.ts';

/** The blank lines of one text, counted up to a limit. */
export class BlankLines {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts one more.
   *
   * @param line its number, from 1
   * @throws GatewayError BAD_USER_INPUT when the limit is exceeded
   */
  add(line: number): void {
    this.#count += 1;
    if (this.#count <= this.#limit) return;
    const limit = this.#limit.toLocaleString('en');
    throw new GatewayError(
      'BAD_USER_INPUT',
      `Line ${line} is blank, and the limit is ${limit} blank lines. Nothing was imported.`,
    );
  }
}
