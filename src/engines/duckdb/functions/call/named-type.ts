import type { SqlType } from '../../../../sql/values/type.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../../dialect/duck-type.ts';

const plainKinds: ReadonlySet<SqlType['kind']> = new Set(['STRING', 'INT64', 'BOOL']);

/**
 * The DuckDB type of values with their fields' original names, for which DuckDB's JSON text needs almost no changes:
 * texts, whole numbers and BOOLs, at any depth. Undefined for other types, and if a field can't have its name.
 */
export function namedType(type: SqlType): string | undefined {
  if (type.kind === 'ARRAY') {
    const element = namedType(type.element);
    return element && `${element}[]`;
  }
  if (type.kind !== 'STRUCT') return plainKinds.has(type.kind) ? duckType(type) : undefined;
  const physical = physicalFieldNames(type);
  const fields = type.fields.map(({ name, type: inner }, i) => {
    const named = namedType(inner);
    // A CAST matches fields by name, in any letter case.
    const isNamed = /^\w+$/.test(name) && physical[i] === quoteIdentifier(name.toLowerCase());
    return named && isNamed ? `${quoteIdentifier(name)} ${named}` : undefined;
  });
  return fields.includes(undefined) ? undefined : `STRUCT(${fields.join(', ')})`;
}
