import { type ParsedRows, placeKey } from '../engines/duckdb/store/row-batch.ts';
import type { Source } from '../sources/source.ts';
import type { BadRow } from './bad-rows.ts';
import { FlatColumns } from './flat-columns.ts';
import type { Line } from './lines.ts';
import { recordEncoder } from './record-encoder.ts';
import { neededColumns, withRow } from './row-encoder.ts';
import { RowValidationError } from './row-validation-error.ts';
import type { Encoder } from './scalar-encoder.ts';

/** Converts lines to rows in the store's form. Rows with a flat form are separate from the others. */
export class RowParser {
  readonly #flat: FlatColumns;
  readonly #encodeWhole: Encoder;
  #whole: string[] = [];

  constructor(source: Source) {
    const columns = neededColumns(source);
    this.#flat = new FlatColumns(columns);
    this.#encodeWhole = recordEncoder(columns);
  }

  /** Adds the row of a line, with its number as its place. Returns the reason if it is invalid. */
  add({ number, text, fault }: Line): BadRow | undefined {
    try {
      if (fault !== undefined) throw new RowValidationError(fault);
      const hasEscapes = text.includes('\\u');
      withRow(text, (row) => this.#addRow(row, number, hasEscapes));
      return undefined;
    } catch (error) {
      if (!(error instanceof RowValidationError)) throw error;
      return { line: number, reason: error.reason, text };
    }
  }

  #addRow(row: unknown, place: number, hasEscapes: boolean): void {
    if (this.#flat.add(row, place, hasEscapes)) return;
    const members = this.#encodeWhole(row).slice(1, -1);
    this.#whole.push(`{"${placeKey}":${place},${members}}`);
  }

  /** The rows added since the last call. */
  take(): ParsedRows[] {
    const flat = this.#flat.take();
    const whole = this.#whole;
    this.#whole = [];
    return [
      ...(flat === undefined ? [] : [flat]),
      ...(whole.length === 0 ? [] : [{ rows: whole.length, text: whole.join('\n') }]),
    ];
  }
}
