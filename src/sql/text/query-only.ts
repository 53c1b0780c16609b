import type { PlacedText } from './place.ts';

/** White space of GoogleSQL with as many bytes in UTF-8 as a character has. */
const blanks: Readonly<Record<number, string>> = { 1: ' ', 2: '\u00a0', 3: '\u3000', 4: '\u00a0\u00a0' };

/**
 * The text with white space in place of the definitions of its functions: a single statement, in which everything has
 * the same place as in the whole text.
 */
export function queryOnly({ sql, functionsEnd = 0 }: Pick<PlacedText, 'sql' | 'functionsEnd'>): string {
  if (functionsEnd === 0) return sql;
  const bytes = Buffer.from(sql);
  const definitions = bytes.subarray(0, functionsEnd).toString();
  return `${definitions.replace(/[^\t\r\n]/gu, blank)}${bytes.subarray(functionsEnd).toString()}`;
}

function blank(character: string): string {
  return blanks[Buffer.byteLength(character)] ?? ' ';
}
