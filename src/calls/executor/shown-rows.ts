import type { Row } from '../../sql/values/value.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import { redactChunks } from '../redaction/redact-result.ts';
import type { ExecutorResult } from './executor.ts';
import type { ReadyBody } from './flights/bodies.ts';

/** Rows of a result. Those who get the same rows share what is made of them. */
export type SharedRows = Pick<ExecutorResult, 'columns' | 'rows' | 'bodies' | 'truncated'>;

/** Rows as the caller of a call may see them. */
export class ShownRows {
  readonly #call: AuthorisedCall;
  #shared: SharedRows | undefined;

  constructor(call: AuthorisedCall, shared: SharedRows) {
    this.#call = call;
    this.#shared = shared;
  }

  get columns(): SharedRows['columns'] {
    return this.#rows.columns;
  }

  get truncated(): boolean {
    return this.#rows.truncated;
  }

  get count(): number {
    return this.#rows.rows.count;
  }

  /** The same object for all who get the same rows. They may see different parts of them. */
  get origin(): object {
    return this.#rows;
  }

  /**
   * The rows, redacted, in chunks. The event loop gets turns in between.
   *
   * @throws the signal's reason
   */
  chunks(signal: AbortSignal): AsyncIterable<readonly Row[]> {
    const { columns, rows } = this.#rows;
    const { hidden, payer } = this.#call;
    return redactChunks(rows.chunks(), columns, hidden, signal, payer.account);
  }

  /**
   * All rows, redacted.
   *
   * @throws the signal's reason
   */
  async all(signal: AbortSignal): Promise<readonly Row[]> {
    const all: Row[] = [];
    for await (const rows of this.chunks(signal)) for (const row of rows) all.push(row);
    return all;
  }

  /**
   * A body that is made once of these rows for all who may see the same, and then shared.
   *
   * @param form tells it from other bodies of the same rows, also by what is hidden
   * @param make gets a signal that is aborted when the last one who waits for the body leaves
   * @throws the signal's reason; what `make` throws
   */
  body(
    form: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<ReadyBody>,
  ): Promise<ReadyBody> {
    return this.#rows.bodies.make(form, signal, make);
  }

  /** Forgets the rows, for those who hold this object longer than they need them. */
  forget(): void {
    this.#shared = undefined;
  }

  get #rows(): SharedRows {
    if (this.#shared !== undefined) return this.#shared;
    throw new TypeError('the rows were forgotten');
  }
}
