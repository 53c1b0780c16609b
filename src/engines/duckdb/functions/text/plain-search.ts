import { stringLiteral } from '../../literal.ts';

/** A search for a text that stands anywhere, at the start, at the end, or that is the whole text. */
export interface PlainSearch {
  readonly kind: 'contains' | 'prefix' | 'suffix' | 'whole';
  readonly text: string;
}

/** Longer texts are left to RE2: DuckDB's search can take the product of both lengths. */
export const maxPlainLength = 1000;

/** The search for a text with these anchors. */
export function plainSearch(text: string, isAtStart: boolean, isAtEnd: boolean): PlainSearch {
  if (isAtStart && isAtEnd) return { kind: 'whole', text };
  // Every text begins and ends with the empty one.
  if (text === '' || isAtStart === isAtEnd) return { kind: 'contains', text };
  return { kind: isAtStart ? 'prefix' : 'suffix', text };
}

/**
 * The condition in SQL; NULL for NULL.
 *
 * These functions are what DuckDB's optimizer makes of plain LIKE patterns, but it doesn't look into lambdas or behind escapes.
 */
export function searchSql(value: string, { kind, text }: PlainSearch): string {
  const searched = stringLiteral(text);
  return kind === 'whole' ? `(${value} = ${searched})` : `${kind}(${value}, ${searched})`;
}
