import { timestampText, valueRenderer } from '../../../rows/formats/render/value-renderer.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import type { Row, Value } from '../../../sql/values/value.ts';

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
