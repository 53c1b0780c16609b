import { formatJson, type Json } from '../../api/json.ts';

/** A cell shows no more of its value than this many characters. */
const maxShown = 300;

/** The text of a value, whole. */
export function wholeText(value: Json | undefined): string {
  if (value === undefined || value === null) return 'NULL';
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return formatJson(value, 2);
  return String(value);
}

/** The beginning of a value in one line. */
export function cellText(value: Json | undefined): string {
  if (typeof value === 'string') return oneLine(value.slice(0, maxShown));
  if (typeof value === 'object' && value !== null) return oneLine(formatJson(value).slice(0, maxShown));
  return wholeText(value);
}

/**
 * Shows control characters as ↵, ⇥ or `\x1b`, and those that turn the direction of writing as `\u202e`: they could hide or move what
 * stands around them.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, picture);
}

/** Like {@link oneLine}, but keeps lines and tabs. */
export function manyLines(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, picture);
}

/** Fonts have these two; few have the pictures of the other ones. */
const pictures: Readonly<Record<string, string>> = { '\n': '↵', '\t': '⇥' };

function picture(character: string): string {
  const code = character.charCodeAt(0);
  const escaped =
    code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  return pictures[character] ?? escaped;
}
