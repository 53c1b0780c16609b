import type { Clock } from '../../../../base/clock/clock.ts';
import { InsertIds } from './insert-ids.ts';

/** A valid row: its id, if it has one, and its line of NDJSON. */
interface StreamedRow {
  readonly insertId: string | undefined;
  readonly line: string;
}

/** Adds streamed rows to the store. */
export class Streaming {
  readonly #addRows: (source: string, ndjson: string) => Promise<void>;
  readonly #insertIds: InsertIds;
  #last: Promise<unknown> = Promise.resolve();

  constructor(addRows: (source: string, ndjson: string) => Promise<void>, clock: Pick<Clock, 'now'>) {
    this.#addRows = addRows;
    this.#insertIds = new InsertIds(clock);
  }

  /**
   * Adds rows to a table, except those whose insert id it has seen. One request after the other: a repeated one must
   * not be answered before the first is in the store.
   *
   * @param table its name in BigQuery, for the insert ids
   * @param source the source with its rows
   */
  add(table: string, source: string, rows: readonly StreamedRow[]): Promise<void> {
    const added = this.#last.then(async () => {
      const seen = this.#insertIds.of(table);
      const fresh = rows.filter(({ insertId }) => insertId === undefined || seen.take(insertId));
      try {
        if (fresh.length > 0) await this.#addRows(source, fresh.map(({ line }) => line).join('\n'));
      } catch (error) {
        for (const { insertId } of fresh) if (insertId !== undefined) seen.forget(insertId);
        throw error;
      }
    });
    this.#last = added.catch(() => {});
    return added;
  }
}
