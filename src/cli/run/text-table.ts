import { CommandError } from '../../base/errors/command-error.ts';
import { isObject, type Json, type JsonObject, readJsonObject } from '../../base/text/exact-json.ts';
import { JsonNumber } from '../../base/text/json-number.ts';
import { timestampText, valueRenderer } from '../../rows/formats/render/value-renderer.ts';
import { jsonText } from '../../rows/ingest/encode/json-text.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../sql/values/type.ts';
import type { Row, Value } from '../../sql/values/value.ts';

/** Rows as texts. */
export interface TextTable {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** A text for each column; null for NULL. */
  readonly rows: readonly (readonly (string | null)[])[];
}

const numbers: ReadonlySet<SqlType['kind']> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

/** The rows of a result as texts for people: times as RFC 3339, nested values as JSON. */
export function resultTable(columns: readonly Column[], rows: readonly Row[]): TextTable {
  const names = columnNames(columns);
  const texts = columns.map(({ type }) => textOf(type));
  return {
    columns: columns.map(({ type }, index) => ({
      name: names[index] ?? '',
      isNumber: numbers.has(type.kind),
    })),
    rows: rows.map((row) => texts.map((text, index) => cell(text, row[index] ?? null))),
  };
}

function cell(text: (value: Value) => string, value: Value): string | null {
  return value === null ? null : text(value);
}

function textOf(type: SqlType): (value: Value) => string {
  switch (type.kind) {
    case 'TIMESTAMP':
      return (value) => timestampText(BigInt(String(value)));
    case 'ARRAY':
    case 'STRUCT':
    case 'JSON':
      return valueRenderer(type, { timestamps: 'iso', json: 'inline', nonFinite: 'text' });
    default:
      return String;
  }
}

/** The rows of a body of JSON lines. Their numbers keep all digits. @throws CommandError */
export function parseJsonRows(body: string): JsonObject[] {
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = parsedRow(line);
      if (row === undefined) throw new CommandError('The gateway answers with something other than rows.');
      return row;
    });
}

function parsedRow(line: string): JsonObject | undefined {
  try {
    const row = readJsonObject(line);
    return isObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Rows as texts. A column is one of numbers if all its values are; NULL is none. */
export function tableOfLines(rows: readonly JsonObject[]): TextTable {
  const names = Object.keys(rows[0] ?? {});
  const isNumber = (name: string) => {
    const values = rows.map((row) => valueIn(row, name)).filter((value) => value !== null);
    return values.length > 0 && values.every((value) => value instanceof JsonNumber);
  };
  return {
    columns: names.map((name) => ({ name, isNumber: isNumber(name) })),
    rows: rows.map((row) => names.map((name) => jsonCell(valueIn(row, name)))),
  };
}

/** Rows may lack columns, and columns may be called `constructor`, which every object has. */
function valueIn(row: JsonObject, name: string): Json {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** Whole numbers of type FLOAT64 are without a fraction, as in tables of a folder's rows. */
function jsonCell(value: Json): string | null {
  return value === null || typeof value === 'string' ? value : jsonText(value).replace(/^(-?\d+)\.0$/, '$1');
}
