import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUUIDValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import { dateText, datetimeTextOfMicros, timeTextOfMicros } from '../../../sql/values/value-text.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';

/**
 * The JSON text that an NDJSON line would have for a value that DuckDB read from a Parquet file. The row's encoder checks
 * what the column accepts. This function refuses, by a `RowValidationError`, only forms that would become another value.
 *
 * @param column the target column, undefined when the source has none
 */
function parquetValue(value: DuckDBValue, column: SourceColumn | undefined): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return kindOf(column) === 'JSON' ? inlineJson(value) : JSON.stringify(value);
  if (value instanceof DuckDBListValue) {
    const ofItem = column?.type.kind === 'JSON' ? inJson : column;
    return `[${value.items.map((item) => parquetValue(item, ofItem)).join()}]`;
  }
  if (value instanceof DuckDBMapValue) {
    const entries = value.entries.map(
      (entry) => new DuckDBStructValue({ key: entry.key, value: entry.value }),
    );
    return parquetValue(new DuckDBListValue(entries), column);
  }
  if (value instanceof DuckDBStructValue)
    return parquetRecord(Object.entries(value.entries), column?.fields ?? []);
  return scalarText(value, column);
}

/** What elements of a list are that becomes JSON: a text is no JSON text there, and a time is a text. */
const inJson: SourceColumn = { name: '', type: { kind: 'DATETIME' }, mode: 'NULLABLE', fields: [] };

/** A record, or a whole row, as JSON text. Columns are found by name in any letter case. */
export function parquetRecord(
  entries: readonly (readonly [name: string, value: DuckDBValue])[],
  columns: readonly SourceColumn[],
): string {
  const members = entries.map(([name, value]) => {
    const column = columns.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    return `${JSON.stringify(name)}:${within(name, () => parquetValue(value, column))}`;
  });
  return `{${members.join()}}`;
}

function scalarText(value: DuckDBValue, column: SourceColumn | undefined): string {
  if (value instanceof DuckDBDecimalValue || value instanceof DuckDBUUIDValue) return `"${value}"`;
  if (value instanceof DuckDBDateValue) return `"${dateText(value.days)}"`;
  if (value instanceof DuckDBTimeValue) return `"${timeTextOfMicros(value.micros)}"`;
  if (value instanceof DuckDBBlobValue) {
    if (kindOf(column) !== 'BYTES') throw new RowValidationError('bytes, where the source has none');
    return `"${Buffer.from(value.bytes).toString('base64')}"`;
  }
  const micros = microsOf(value);
  if (micros === undefined) {
    if (kindOf(column) === 'STRING') return JSON.stringify(String(value));
    throw new RowValidationError('a Parquet type that no source has');
  }
  const kind = kindOf(column);
  // A number could be read as one of another unit.
  if (kind !== 'DATETIME' && kind !== 'TIMESTAMP') return String(micros);
  if (micros < minTimestampMicros || micros > maxTimestampMicros)
    throw new RowValidationError(`expected ${kind}, got a time outside the years 1 to 9999`);
  return `"${datetimeTextOfMicros(micros)}"`;
}

function microsOf(value: DuckDBValue): bigint | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis * 1000n;
  if (value instanceof DuckDBTimestampSecondsValue) return value.seconds * 1_000_000n;
  return value instanceof DuckDBTimestampNanosecondsValue ? value.nanos / 1000n : undefined;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0.0' : String(value);
}

function inlineJson(text: string): string {
  if (parsedJson(text) === undefined) throw new RowValidationError('not JSON');
  // Line ends can only be between the parts of a JSON text, and would end the line.
  return text.replace(/[\r\n]+/g, ' ');
}

function kindOf(column: SourceColumn | undefined): string | undefined {
  return column?.type.kind === 'ARRAY' ? column.type.element.kind : column?.type.kind;
}

function within(name: string, encode: () => string): string {
  try {
    return encode();
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(name) : error;
  }
}
