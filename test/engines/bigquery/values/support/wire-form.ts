import type { TableField } from '../../../../../src/definitions/sources/table-field.ts';
import type { Column, SqlType } from '../../../../../src/sql/values/type.ts';
import { elementType } from '../../../../../src/sql/values/type.ts';
import type { Value } from '../../../../../src/sql/values/value.ts';

/**
 * Answers as BigQuery gives them, written from its public reference (the resources `TableSchema`, `TableRow` and
 * `TableCell` of the REST API v2, and the lexical forms of GoogleSQL's types).
 */

/** Schemas answer with the legacy names of these types. */
const legacyNames: Readonly<Partial<Record<SqlType['kind'], string>>> = {
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  BOOL: 'BOOLEAN',
  STRUCT: 'RECORD',
};

function wireField({ name, type }: Column, index: number): TableField {
  const element = elementType(type);
  return {
    name: name === '' ? `f${index}_` : name,
    type: legacyNames[element.kind] ?? element.kind,
    mode: type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE',
    ...(element.kind === 'STRUCT' && { fields: element.fields.map(wireField) }),
  };
}

export function wireSchema(columns: readonly Column[]): { fields: TableField[] } {
  return { fields: columns.map(wireField) };
}

export function wireRow(columns: readonly Column[], row: readonly Value[]): object {
  return { f: columns.map(({ type }, index) => ({ v: wireValue(type, row[index] ?? null) })) };
}

function wireValue(type: SqlType, value: Value): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case 'ARRAY':
      return (value as readonly Value[]).map((element) => ({ v: wireValue(type.element, element) }));
    case 'STRUCT':
      return wireRow(type.fields, value as readonly Value[]);
    case 'FLOAT64':
      return Object.is(value, -0) ? '-0.0' : floatText(value as number);
    default:
      return String(value);
  }
}

/** `1.0`, `1.0E10`, `NaN`, `Infinity`. */
function floatText(value: number): string {
  const text = String(value).replace('e', 'E').replace('E+', 'E');
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
