/** Characters that act on a terminal, or change the order in which others are shown. */
const acting = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text of a cell on one line: NULL is `NULL`, and a text that says so is quoted. Control characters are escaped. */
export function cellText(text: string | null): string {
  if (text === null) return 'NULL';
  if (text === 'NULL') return '"NULL"';
  return text.replace(
    acting,
    (character) => short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
