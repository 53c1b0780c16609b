import { bySimilarity } from '../../base/text/suggest.ts';
import { identifier } from '../text/identifier.ts';
import { filterError, shownText } from './filter-error.ts';
import type { FilterField } from './filter-fields.ts';
import { isOrderable } from './operators.ts';

/** A column, or a field of a record, that rows can be ordered by. */
export interface OrderField {
  /** The names of the column and of the fields within it, in SQL. */
  readonly path: readonly string[];
  /** The same, as filters name them. */
  readonly names: readonly string[];
}

/** A key of an order. NULLs are first in ascending order, and last in descending order, as in GoogleSQL. */
export interface OrderKey {
  readonly path: readonly string[];
  readonly descending: boolean;
}

/** The maximum number of keys of an order. */
const maxKeys = 10;

/** What rows can be ordered by: columns of types that have an order, and fields of records, but not of those in arrays. */
export function orderFields(fields: readonly FilterField[], above: Partial<OrderField> = {}): OrderField[] {
  return fields.flatMap(({ name, sqlName, type, fields: inner }) => {
    const path = [...(above.path ?? []), sqlName];
    const names = [...(above.names ?? []), name];
    if (type.kind === 'STRUCT') return orderFields(inner, { path, names });
    return type.kind !== 'ARRAY' && isOrderable(type.kind) ? [{ path, names }] : [];
  });
}

/**
 * Parses an order such as `-status,path`: fields separated by commas, with a minus sign before those in descending order, and
 * with points between the names of records and of their fields.
 *
 * @param root what the order is called in errors
 * @throws GatewayError BAD_USER_INPUT
 */
export function parseOrder(text: string, fields: readonly FilterField[], root: string): readonly OrderKey[] {
  const known = orderFields(fields);
  const keys = text.split(',', maxKeys + 1).map((written) => {
    const item = written.trim();
    const descending = item.startsWith('-');
    const name = item.slice(descending ? 1 : 0);
    const field = known.find(({ names }) => names.join('.') === name);
    if (field !== undefined) return { path: field.path, descending };
    const names = known.map((each) => each.names.join('.'));
    const shown = bySimilarity(name, names).slice(0, 10).join(', ') || 'none';
    throw filterError(root, [], `rows can't be ordered by ${shownText(name)}; known: ${shown}`);
  });
  return checkedOrder(keys, root);
}

/**
 * Checks that no field occurs twice in an order.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function checkedOrder(keys: readonly OrderKey[], root: string): readonly OrderKey[] {
  if (keys.length > maxKeys) throw filterError(root, [], `more than ${maxKeys} fields`);
  const seen = new Set<string>();
  for (const { path } of keys) {
    const name = path.join('.');
    if (seen.has(name)) throw filterError(root, [], `${shownText(name)} occurs several times`);
    seen.add(name);
  }
  return keys;
}

/** The keys as items of ORDER BY. */
export function orderItems(keys: readonly OrderKey[], row: string): string[] {
  return keys.map(
    ({ path, descending }) => `${row}.${path.map(identifier).join('.')}${descending ? ' DESC' : ''}`,
  );
}
