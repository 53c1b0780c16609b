import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType, type ScalarTypeName } from '../../../sql/values/type.ts';

/** Converts a value of the store's text form, parsed from JSON, to that of `tabledata.insertAll`. */
type InsertValue = (value: unknown) => unknown;

/**
 * Returns a function from a record in the store's text form (see `WholeRows`) to a record of `tabledata.insertAll`:
 * fields with their names as in the schema, without those that are NULL.
 *
 * | type | form |
 * |---|---|
 * | BOOL, STRING | as in JSON |
 * | INT64 | string of digits: JSON numbers are doubles at BigQuery |
 * | FLOAT64 | JSON number; `"-0.0"`, `"NaN"`, `"Infinity"`, `"-Infinity"` |
 * | NUMERIC | string of digits |
 * | TIMESTAMP | string in RFC 3339 with up to six digits of a second, in UTC |
 * | DATE, TIME, DATETIME | string |
 * | BYTES | string: base64 |
 * | JSON | string: the JSON text |
 * | REPEATED | array |
 * | RECORD | object |
 *
 * The function throws `DigitsNeeded` if only a number's digits are precise enough.
 *
 * Source: https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-json#details_of_loading_json_data, whose forms
 * are those of streamed rows
 */
export function insertRecord(
  columns: readonly SourceColumn[],
): (record: unknown) => Readonly<Record<string, unknown>> {
  const fields = columns.map((column) => ({
    key: column.name.toLowerCase(),
    name: column.name,
    convert: insertValue(column),
  }));
  return (record) => {
    const given = Object(record);
    // Without a prototype, which a column named `__proto__` would otherwise reach.
    const made: Record<string, unknown> = Object.create(null);
    for (const { key, name, convert } of fields) {
      const value: unknown = Object.hasOwn(given, key) ? given[key] : undefined;
      if (value !== undefined && value !== null) made[name] = convert(value);
    }
    return made;
  };
}

function insertValue(column: SourceColumn): InsertValue {
  const single = column.fields.length > 0 ? insertRecord(column.fields) : scalarValue(column);
  return column.mode === 'REPEATED' ? (value) => Array.from(Object(value), single) : single;
}

function scalarValue({ type }: SourceColumn): InsertValue {
  const { kind } = elementType(type);
  return converters[kind as ScalarTypeName] ?? ((value) => value);
}

const converters: Readonly<Partial<Record<ScalarTypeName, InsertValue>>> = {
  INT64: (value) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new DigitsNeeded();
    return String(value);
  },
  FLOAT64: (value) => {
    const double = value instanceof JsonNumber ? Number(value.text) : value;
    return Object.is(double, -0) ? '-0.0' : double;
  },
  TIMESTAMP: (value) => (typeof value === 'string' && !value.endsWith('Z') ? `${value}Z` : value),
};
