import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType } from '../../../sql/values/type.ts';
import { keyOf, type MutableObject } from '../encode/field-path.ts';
import { isObject } from '../encode/record-members.ts';
import { TimeZone } from '../encode/time-zone.ts';

/** A column of times, or of records with times. */
interface TimeColumn {
  readonly name: string;
  /** Of a record. */
  readonly fields: readonly TimeColumn[];
}

/** Reads the times of rows that have no offset from UTC as those of a zone. */
export class ZonedTimes {
  readonly #columns: readonly TimeColumn[];
  readonly #zone: TimeZone;

  constructor(columns: readonly SourceColumn[], zone: string) {
    this.#columns = timeColumns(columns);
    this.#zone = new TimeZone(zone);
  }

  /** Changes a row. */
  apply(row: MutableObject): void {
    this.#inRecord(row, this.#columns);
  }

  #inRecord(record: MutableObject, columns: readonly TimeColumn[]): void {
    for (const { name, fields } of columns) {
      const key = keyOf(record, name);
      if (key !== undefined) record[key] = this.#value(record[key], fields);
    }
  }

  #value(value: unknown, fields: readonly TimeColumn[]): unknown {
    if (Array.isArray(value)) return value.map((element) => this.#value(element, fields));
    if (fields.length === 0) return typeof value === 'string' ? this.#zone.inUtc(value) : value;
    if (isObject(value)) this.#inRecord(value, fields);
    return value;
  }
}

function timeColumns(columns: readonly SourceColumn[]): TimeColumn[] {
  return columns.flatMap(({ name, type, fields }) => {
    const inner = timeColumns(fields);
    return inner.length > 0 || elementType(type).kind === 'TIMESTAMP' ? [{ name, fields: inner }] : [];
  });
}
