/** Characters that must be escaped in a JSON string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const special = /["\\\u0000-\u001f]/g;

/** Line separators that older JavaScript didn't allow in strings. */
const lineEnds = /[\u2028\u2029]/g;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A string as the type JSON prints it. */
export function plainJsonString(text: string): string {
  if (text.search(special) < 0) return `"${text}"`;
  return `"${text.replace(special, (character) => short[character] ?? unicodeEscape(character))}"`;
}

/** A string as the functions on texts print it. */
export function jsonString(text: string): string {
  return plainJsonString(text).replace(lineEnds, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
