import { memoized } from '../../../../base/async/memoized.ts';
import { GatewayError } from '../../../../base/errors/errors.ts';
import type { ColumnBatch, ColumnData } from '../../../../sql/columns/column-batch.ts';
import { columnNames } from '../../../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../../../sql/values/type.ts';
import type { Row, Value } from '../../../../sql/values/value.ts';

type Check = (value: Value) => boolean;

/**
 * Refuses rows that contain an array with a NULL, as BigQuery does, in its words. Within a query such arrays are valid.
 * Source: https://docs.cloud.google.com/bigquery/docs/reference/standard-sql/data-types#array_nulls
 *
 * @throws GatewayError QUERY_FAILED
 */
export function refuseNullElements(columns: readonly Column[], rows: readonly Row[]): void {
  for (const { index, name, hasNull } of checksOf(columns)) {
    if (rows.some((row) => hasNull(row[index] ?? null))) throw nullElement(name);
  }
}

/** The same for rows as columns. */
export function refuseNullElementsIn(columns: readonly Column[], batch: ColumnBatch): void {
  for (const { index, name } of checksOf(columns)) {
    const [type, data] = [columns[index]?.type, batch.columns[index]];
    if (type !== undefined && data !== undefined && hasNullElement(type, data)) throw nullElement(name);
  }
}

function hasNullElement(type: SqlType, { children = [] }: ColumnData): boolean {
  if (type.kind === 'ARRAY')
    return children.some((child) => child.nullCount > 0 || hasNullElement(type.element, child));
  if (type.kind !== 'STRUCT') return false;
  return type.fields.some((field, index) => {
    const child = children[index];
    return child !== undefined && hasNullElement(field.type, child);
  });
}

function nullElement(name: string): GatewayError {
  return new GatewayError('QUERY_FAILED', `Array cannot have a null element; error in writing field ${name}`);
}

/** The columns that contain arrays. */
const checksOf = memoized((columns: readonly Column[]) => {
  const names = columnNames(columns);
  return columns.flatMap(({ type }, index) => {
    const hasNull = checkOf(type);
    return hasNull === undefined ? [] : [{ index, name: names[index] ?? '', hasNull }];
  });
});

/** Returns a test for values with such an array. Undefined for a type without arrays. */
function checkOf(type: SqlType): Check | undefined {
  switch (type.kind) {
    case 'ARRAY': {
      const inElement = checkOf(type.element);
      return (value) => partsOf(value).some((part) => part === null || inElement?.(part) === true);
    }
    case 'STRUCT': {
      const inFields = type.fields.map((field) => checkOf(field.type));
      if (inFields.every((check) => check === undefined)) return undefined;
      return (value) => partsOf(value).some((part, index) => inFields[index]?.(part) === true);
    }
    default:
      return undefined;
  }
}

function partsOf(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [];
}
