import { GraphQLError } from 'graphql';
import type { Row, Value } from '../../sql/value.ts';
import { parseJsonExactly } from '../exact-json.ts';
import { type FieldShape, itemsNullable, type TypeShape } from '../shape/shape.ts';

/** Reads the value of a field from a row, or from a record, by its position. */
export type FieldReader = (row: Row) => unknown;

/**
 * Returns the reader of a field. It throws a GraphQLError QUERY_FAILED at a NULL that the schema rules out: in a column
 * declared as not nullable, or in an array.
 */
export function fieldReader({ index, type, nullable, sqlName }: FieldShape): FieldReader {
  const read = nullableReader(index, type, sqlName);
  if (nullable) return read;
  return (row) => {
    const value = read(row);
    if (value !== null) return value;
    throw failure(
      `The column ${sqlName} is ${nullText(row[index])} in a row, but is declared never to be NULL`,
    );
  };
}

function nullableReader(index: number, type: TypeShape, sqlName: string): FieldReader {
  const formed = form(type.kind === 'list' ? type.of : type);
  if (type.kind !== 'list') return formed ? (row) => formed(row[index]) : (row) => row[index] ?? null;
  // A NULL array is an empty list, as on REST.
  const items = (row: Row) => (row[index] ?? []) as readonly Value[];
  if (itemsNullable(type)) return formed ? (row) => items(row).map(formed) : items;
  return (row) => {
    const list = items(row);
    // BigQuery's own wording: it never returns such results.
    if (list.includes(null))
      throw failure(`Array cannot have a null element; error in writing field ${sqlName}`);
    return list;
  };
}

/** Conversions to GraphQL, for the types with values that have no form but null. */
function form(type: TypeShape): ((value: Value | undefined) => unknown) | undefined {
  if (type.kind !== 'scalar') return undefined;
  // JSON can't represent NaN and the infinities.
  if (type.name === 'Float') return (value) => (Number.isFinite(value) ? value : null);
  if (type.name === 'JSON') return (value) => (typeof value === 'string' ? parseJsonExactly(value) : null);
  return undefined;
}

function nullText(value: Value | undefined): string {
  if (typeof value === 'number') return String(value);
  return value === 'null' ? "JSON's null" : 'NULL';
}

function failure(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'QUERY_FAILED' } });
}
