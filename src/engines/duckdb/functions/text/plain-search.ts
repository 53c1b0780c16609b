import { stringLiteral } from '../../dialect/literal.ts';

/** A search for a text anywhere, at the start or at the end, or for the whole text. */
export interface PlainSearch {
  readonly kind: 'contains' | 'prefix' | 'suffix' | 'whole';
  readonly text: string;
}

/** Longer texts are left to RE2: the time of DuckDB's search can be the product of both lengths. */
export const maxPlainLength = 1000;

/** The search for a text with these anchors. */
export function plainSearch(text: string, isAtStart: boolean, isAtEnd: boolean): PlainSearch {
  if (isAtStart && isAtEnd) return { kind: 'whole', text };
  // Every text starts and ends with the empty text.
  if (text === '' || isAtStart === isAtEnd) return { kind: 'contains', text };
  return { kind: isAtStart ? 'prefix' : 'suffix', text };
}

/**
 * The condition in SQL. NULL for NULL.
 *
 * DuckDB's optimizer turns plain LIKE patterns into these functions, except in lambdas and after escapes.
 */
export function searchSql(value: string, { kind, text }: PlainSearch): string {
  const searched = stringLiteral(text);
  return kind === 'whole' ? `(${value} = ${searched})` : `${kind}(${value}, ${searched})`;
}
