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
 * Shows control characters as ↵, ⇥ or `\x1b`, and those that change the direction of text as `\u202e`: they could hide what stands
 * around them, or let it be read as something else.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, picture);
}

/** Like {@link oneLine}, but keeps lines and tabs. */
export function manyLines(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, picture);
}

/** Fonts have these two; few have the pictures of the other ones. */
const pictures: Readonly<Record<string, string>> = { '\n': '↵', '\t': '⇥' };

function picture(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return (
    pictures[character] ?? (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`)
  );
}
