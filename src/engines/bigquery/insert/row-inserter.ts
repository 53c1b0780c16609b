import type { Source } from '../../../definitions/sources/source.ts';

/**
 * A row in the form of `tabledata.insertAll`. Its values are a text already, so that threads can make it and pass it on.
 */
export interface RowToInsert {
  /** By which BigQuery recognises the row when it is sent again soon: 1 to 128 characters. */
  readonly insertId: string;
  /** The values by the names of the columns, as the text of a JSON object. */
  readonly json: string;
  /** The day of its time in UTC: `20260131`. Needed for a wildcard source, to choose the table. */
  readonly day?: string;
}

/** A row that was not added. */
export interface RejectedRow {
  /** Its position among the rows of the call, from 0. */
  readonly index: number;
  readonly reason: string;
}

export interface InsertOptions {
  /** Whether the other rows are added when BigQuery rejects some. */
  readonly partial: boolean;
  readonly signal: AbortSignal;
  /** Maximum time in milliseconds. */
  readonly timeoutMs: number;
}

/** Adds rows to the tables of sources. */
export interface RowInserter {
  /**
   * Adds rows. When it resolves, BigQuery has them. After an error they can be sent again with the same insert ids: within
   * about a minute, BigQuery ignores those that it has.
   *
   * @returns with `partial`, the rows that were rejected, in order. Otherwise none.
   * @throws RowsRejected when rows are rejected, without `partial`
   * @throws GatewayError OVERLOADED, or BACKEND_UNAVAILABLE: with `retryAfterSeconds` if a later attempt can succeed.
   *   BAD_USER_INPUT for rows of too many days
   * @throws the signal's reason when it is aborted
   */
  insert(
    source: Pick<Source, 'name' | 'wildcard'>,
    rows: readonly RowToInsert[],
    options: InsertOptions,
  ): Promise<readonly RejectedRow[]>;
}
