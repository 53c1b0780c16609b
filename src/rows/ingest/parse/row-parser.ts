import { timeColumn } from '../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import type { IngestPart } from '../../../engines/duckdb/store/insert/ingest-batch.ts';
import { placeKey } from '../../../engines/duckdb/store/insert/row-batch.ts';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import type { Line } from '../body/lines.ts';
import { type AcceptedTimes, outOfRange } from '../encode/accepted-times.ts';
import { keyOf } from '../encode/field-path.ts';
import { FlatColumns } from '../encode/flat-columns.ts';
import { recordEncoder } from '../encode/record-encoder.ts';
import { isObject } from '../encode/record-members.ts';
import { neededColumns, needsExactRows, withRow } from '../encode/row-encoder.ts';
import { RowIds } from '../encode/row-ids.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';
import { type Encoder, scalarEncoder } from '../encode/scalar-encoder.ts';
import type { BadRow } from './bad-rows.ts';
import type { MadeIds } from './made-ids.ts';
import { RowPreparation } from './row-preparation.ts';

/** How rows are read. */
export interface RowForm {
  /** The times that rows may have; any time by default. */
  readonly times?: AcceptedTimes | undefined;
  /** Makes the missing ids; by default, they stay missing. */
  readonly ids?: MadeIds | undefined;
  /** The zone of times without an offset from UTC; UTC by default. */
  readonly zone?: string | undefined;
}

/** Converts lines to rows in the store's form. Rows with a flat form are separate from the others. */
export class RowParser {
  readonly #flat: FlatColumns;
  readonly #encodeWhole: Encoder;
  readonly #isExact: boolean;
  #whole: string[] = [];
  #wholeIds: string[] = [];

  readonly #checkTime: (row: unknown) => void;
  readonly #ids: RowIds;
  readonly #preparation: RowPreparation;
  readonly #madeIds: MadeIds | undefined;

  constructor(source: Source, { times, ids, zone }: RowForm = {}) {
    const columns = neededColumns(source);
    const time = timeColumn(source);
    this.#checkTime = times === undefined || time === undefined ? () => undefined : timeCheck(time, times);
    this.#ids = new RowIds(source);
    this.#preparation = new RowPreparation(source, ids, zone);
    this.#madeIds = ids;
    this.#flat = new FlatColumns(columns);
    this.#encodeWhole = recordEncoder(columns);
    this.#isExact = needsExactRows(columns);
  }

  /**
   * Adds the row of a line. Returns the reason if it is invalid.
   *
   * @param place of the row; by default, the number of its line
   */
  add({ number, text, fault }: Line, place = number): BadRow | undefined {
    try {
      this.#madeIds?.begin(text);
      if (fault !== undefined) throw new RowValidationError(fault);
      const hasEscapes = text.includes('\\u');
      const add = (row: unknown) => {
        if (isObject(row)) this.#preparation.prepare(row, number, text);
        this.#addRow(row, place, hasEscapes);
      };
      withRow(text, add, this.#isExact);
      return undefined;
    } catch (error) {
      if (!(error instanceof RowValidationError)) throw error;
      return { line: place, reason: error.reason, text };
    }
  }

  #addRow(row: unknown, place: number, hasEscapes: boolean): void {
    this.#checkTime(row);
    if (this.#flat.add(row, place, hasEscapes)) return;
    const members = this.#encodeWhole(row).slice(1, -1);
    this.#whole.push(`{"${placeKey}":${place},${members}}`);
    this.#wholeIds.push(this.#ids.of(row));
  }

  /** Whether a time was cut to microseconds. */
  get hasFinerTimes(): boolean {
    return this.#preparation.hasFinerTimes;
  }

  /** The rows added since the last call. */
  take(): IngestPart[] {
    const flat = this.#flat.take();
    const [whole, ids] = [this.#whole, this.#wholeIds];
    [this.#whole, this.#wholeIds] = [[], []];
    return [
      ...(flat === undefined ? [] : [flat]),
      ...(whole.length === 0 ? [] : [{ rows: whole.length, ids, text: whole.join('\n') }]),
    ];
  }
}

/** Texts of times in the store's form are in the order of time, to the second. */
const secondsLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** A function that throws `RowValidationError` for a row whose time is none, or none that is accepted. */
function timeCheck({ name, type }: SourceColumn, times: AcceptedTimes): (row: unknown) => void {
  const encode = scalarEncoder(type.kind as ScalarTypeName);
  const [from, to] = [times.from, times.to].map((micros) =>
    datetimeTextOfMicros(micros).slice(0, secondsLength),
  );
  const isWithin = (text: string) => {
    const seconds = text.slice(0, secondsLength);
    // A date is within if one of its times is.
    const length = seconds.length;
    return (
      from !== undefined &&
      to !== undefined &&
      seconds >= from.slice(0, length) &&
      seconds <= to.slice(0, length)
    );
  };
  return (row) => {
    if (!isObject(row)) return;
    const value = row[keyOf(row, name) ?? name];
    // Whether it may be absent, and whether a text in the usual form is a time, is checked with the other columns.
    if (value === undefined || value === null) return;
    if (type.kind === 'TIMESTAMP' && isUsual(value) && isWithin(value)) return;
    try {
      if (!isWithin(encode(value))) throw outOfRange(value, times);
    } catch (error) {
      throw error instanceof RowValidationError ? error.within(name) : error;
    }
  };
}

/** Whether a value is a text in the store's form, if it is a time. */
function isUsual(value: unknown): value is string {
  return typeof value === 'string' && value[secondsLength - 9] === 'T' && value.endsWith('Z');
}
