import { flatPlaceKey } from '../engines/duckdb/store/flat-batch.ts';
import { placeKey, type RowBatch } from '../engines/duckdb/store/row-batch.ts';
import type { CheckedRow } from './checked-rows.ts';

/** Characters of text at which a batch is handed on: large enough for DuckDB to work evenly, small in memory. */
const batchLength = 4 * 1024 * 1024;

/** Gathers rows into batches for the store, those with a flat form apart from the others. */
export async function* rowBatches(checked: AsyncIterable<CheckedRow>): AsyncGenerator<RowBatch> {
  const flat = new Gathering(flatPlaceKey);
  const whole = new Gathering(placeKey);
  let place = 0;
  for await (const { encoded } of checked) {
    place += 1;
    const gathering = encoded.isFlat ? flat : whole;
    gathering.add(encoded.members, place);
    if (gathering.length >= batchLength) yield { ...gathering.take(), isFlat: encoded.isFlat };
  }
  if (flat.length > 0) yield { ...flat.take(), isFlat: true };
  if (whole.length > 0) yield { ...whole.take(), isFlat: false };
}

/** The rows of the next batch. */
class Gathering {
  readonly #begin: string;
  #rows: string[] = [];
  #length = 0;

  constructor(key: string) {
    this.#begin = `{"${key}":`;
  }

  get length(): number {
    return this.#length;
  }

  add(members: string, place: number): void {
    this.#rows.push(`${this.#begin}${place},${members}}`);
    this.#length += members.length;
  }

  take(): Omit<RowBatch, 'isFlat'> {
    const batch = { rows: this.#rows.length, text: this.#rows.join('\n') };
    this.#rows = [];
    this.#length = 0;
    return batch;
  }
}
