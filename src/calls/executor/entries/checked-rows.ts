import { packedRows, type ResultRows, rowsInMemory } from '../../../engines/rows/result-rows.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import type { Row } from '../../../sql/values/value.ts';
import type { Entry } from './entry.ts';

/**
 * Returns the rows of an entry from outside this process; undefined unless it has exactly this number of rows of these
 * columns.
 */
export async function checkedRows(
  { rows: bytes, rowCount }: Pick<Entry, 'rows' | 'rowCount'>,
  columns: readonly Column[],
): Promise<ResultRows | undefined> {
  const type: SqlType = { kind: 'STRUCT', fields: columns };
  const rows: Row[] = [];
  try {
    for await (const chunk of packedRows([bytes], rowCount).chunks()) {
      if (!isList(chunk) || !chunk.every((row) => row !== null && isOfType(row, type))) return undefined;
      for (const row of chunk) rows.push(row);
    }
  } catch {
    return undefined;
  }
  return rows.length === rowCount ? rowsInMemory(rows) : undefined;
}

function isOfType(value: unknown, type: SqlType): boolean {
  if (value === null) return true;
  switch (type.kind) {
    case 'BOOL':
      return typeof value === 'boolean';
    case 'INT64':
    case 'TIMESTAMP':
      return typeof value === 'bigint';
    case 'FLOAT64':
      return typeof value === 'number';
    case 'ARRAY':
      return isList(value) && value.every((item) => isOfType(item, type.element));
    case 'STRUCT': {
      const { fields } = type;
      if (!isList(value) || value.length !== fields.length) return false;
      let index = 0;
      for (const field of fields) if (!isOfType(value[index++], field.type)) return false;
      return true;
    }
    default:
      return typeof value === 'string';
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
