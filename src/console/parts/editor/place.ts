import type { Location } from '../../api/failure.ts';

/** A span of a text, in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The word at a place of a text, or the one character, so that a mark shows.
 *
 * @param location columns count characters, not UTF-16 units
 */
export function spanAt(text: string, { line, column }: Location): Span {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length, 0);
  const own = (lines[line - 1] ?? '').replace(/[\r\n]+$/, '');
  const before = [...own].slice(0, Math.max(0, column - 1)).join('');
  const from = Math.min(text.length, start + before.length);
  const [word = ''] = /^(?:`[^`]*`|\w+|.)/u.exec(own.slice(before.length)) ?? [];
  // A failure at the end of the text is at its last character.
  return word === '' ? { from: Math.max(0, from - 1), to: from } : { from, to: from + word.length };
}
