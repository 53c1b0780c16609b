/** Characters that have to be escaped in a JSON string, or are by GoogleSQL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const special = /["\\\u0000-\u001f\u2028\u2029]/g;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A string as JSON. */
export function jsonString(text: string): string {
  return `"${text.replace(special, (character) => short[character] ?? unicodeEscape(character))}"`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
