import type { ScalarTypeName } from '../values/type.ts';

/** A key by which rows are ordered: a column of the result. */
export interface PageKey {
  /** The position of the column in the result. */
  readonly index: number;
  /** The column's name, which no other column of the result has. */
  readonly name: string;
  readonly type: ScalarTypeName;
  readonly isDescending: boolean;
  readonly hasNullsFirst: boolean;
  /** Whether it has a value in each row. */
  readonly isFilled: boolean;
}

/** A total order of a query's rows: no two rows are equal in all keys, so that each place in it is a place between rows. */
export interface PageOrder {
  /** The keys of the query's own order, as far as they are needed, then those that make it total. */
  readonly keys: readonly PageKey[];
  /** How many of the keys are not in the query's own order. */
  readonly added: number;
  /** The number of rows at which the query's own LIMIT ends, or the name of the parameter that is it. */
  readonly limit?: bigint | { readonly parameter: string };
}

/** Whether a query's rows can be read in pages; why not, if they can't. */
export type Paging = { readonly order: PageOrder } | { readonly refused: string };

/** An order as an ORDER BY clause lists it: `timestamp DESC`, `id`. */
export function orderTexts({ keys }: PageOrder): readonly string[] {
  return keys.map((key) => orderItem(key.name, key));
}

/** An item of an ORDER BY clause: an expression with the direction of a key. */
export function orderItem(
  sql: string,
  { isDescending, hasNullsFirst }: Pick<PageKey, 'isDescending' | 'hasNullsFirst'>,
): string {
  const nulls = hasNullsFirst === isDescending ? ` NULLS ${hasNullsFirst ? 'FIRST' : 'LAST'}` : '';
  return `${sql}${isDescending ? ' DESC' : ''}${nulls}`;
}

/** A sentence about the pages of a result, without its subject: `can be read in pages, ordered by timestamp DESC, id`. */
export function pagingSentence(paging: Paging | undefined): string {
  if (paging === undefined) return "can't be read in pages";
  if ('refused' in paging) return `can't be read in pages: ${paging.refused}`;
  const keys = orderTexts(paging.order).join(', ');
  return keys === '' ? 'is one page: it has one row at most' : `can be read in pages, ordered by ${keys}`;
}
