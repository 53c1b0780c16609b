import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { collationKey } from '../../macros/collation.ts';

/** Whether DuckDB's order and equality of values are not GoogleSQL's, but those of keys are. */
export function needsKey(type: SqlType, collated: boolean): boolean {
  return collated || type.kind === 'INTERVAL';
}

/**
 * What stands for a value where values are ordered, grouped or found equal: its key, or itself. Months have 30 days and days have
 * 24 hours then. DuckDB 1.5.5 gets that wrong for intervals whose parts have different signs.
 *
 * @param sql a value of the type, as SQL
 * @param collated whether texts are compared without regard to letter case
 */
export function comparisonKey(sql: string, type: SqlType, collated: boolean): string {
  if (collated) return collationKey.call([sql]);
  if (type.kind === 'INTERVAL') return `epoch_us(${sql})`;
  if (hasInterval(type)) throw unsupported('a comparison of records or arrays with INTERVAL');
  return sql;
}

/** The keys of a list's elements, as a list. */
export function comparisonKeys(list: string, element: SqlType): string {
  const key = comparisonKey('x', element, false);
  return key === 'x' ? list : `list_transform(${list}, lambda x: ${key})`;
}

function hasInterval(type: SqlType): boolean {
  if (type.kind === 'ARRAY') return hasInterval(type.element);
  if (type.kind === 'STRUCT') return type.fields.some((field) => hasInterval(field.type));
  return type.kind === 'INTERVAL';
}
