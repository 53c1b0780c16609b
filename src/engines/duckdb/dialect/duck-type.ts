import { memoized } from '../../../base/async/memoized.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import type { ScalarTypeName, SqlType, StructType } from '../../../sql/values/type.ts';

/** A quoted DuckDB identifier. It can contain any character except NUL, which ends SQL text. */
export function quoteIdentifier(name: string): string {
  if (name.includes('\0')) throw unsupported('a name with the character NUL');
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * TIMESTAMP and DATETIME are both DuckDB's zoneless TIMESTAMP (the former in UTC), NUMERIC has GoogleSQL's precision
 * and scale, BIGNUMERIC is an integer in units of 10^-38, JSON is a text. Undefined: DuckDB has no type with every value.
 */
const scalarTypes: Readonly<Record<ScalarTypeName, string | undefined>> = {
  BOOL: 'BOOLEAN',
  INT64: 'BIGINT',
  FLOAT64: 'DOUBLE',
  NUMERIC: 'DECIMAL(38,9)',
  // No DuckDB decimal is wide enough. Integers of any size have the same order, and sums are exact.
  BIGNUMERIC: 'BIGNUM',
  STRING: 'VARCHAR',
  BYTES: 'BLOB',
  DATE: 'DATE',
  DATETIME: 'TIMESTAMP',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  INTERVAL: 'INTERVAL',
  JSON: 'VARCHAR',
  GEOGRAPHY: undefined,
};

/**
 * The DuckDB type for the values of a GoogleSQL type. Types that DuckDB can't represent exactly are refused by name.
 */
export const duckType: (type: SqlType) => string = memoized((type) => {
  switch (type.kind) {
    case 'ARRAY':
      return `${duckType(type.element)}[]`;
    case 'STRUCT': {
      if (type.fields.length === 0)
        throw unsupported('a STRUCT without fields: give it one, or leave it out');
      const names = physicalFieldNames(type);
      const fields = type.fields.map((field, i) => `${names[i]} ${duckType(field.type)}`);
      return `STRUCT(${fields.join(', ')})`;
    }
    default: {
      const text = scalarTypes[type.kind];
      if (text === undefined) throw unsupported(`the type ${type.kind}`);
      return text;
    }
  }
});

/**
 * The quoted names of a struct's fields in DuckDB, which must be non-empty and unique in any letter case: the name in
 * lower case, or `_<index>` if it is empty or already taken. The latter also replaces names with NUL, and names that
 * would change their position as keys of a JavaScript object, in which values arrive.
 */
export const physicalFieldNames: (type: StructType) => readonly string[] = memoized((type) =>
  uniqueNames(type).map(quoteIdentifier),
);

function uniqueNames(type: StructType): readonly string[] {
  const taken = new Set<string>();
  return type.fields.map((field, i) => {
    let name = field.name.toLowerCase();
    if (name === '' || taken.has(name) || /^(\d+|__proto__)$|\0/.test(name)) name = `_${i}`;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  });
}

/** SQL with the DuckDB type of a type: DuckDB gives an expression that is a constant NULL none. */
export function typedSql(sql: string, type: SqlType): string {
  return `CAST(${sql} AS ${duckType(type)})`;
}
