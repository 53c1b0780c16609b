import type { Range } from '../range.ts';

/**
 * RFC 6750, section 2.1, or `Bearer ` as a log or a URL may write it; the token itself is read from there on. Whatever stands
 * before it may end in a letter, as `\n` and `%3A` do.
 */
const bearer =
  /bearer(?:[\s:="'+]|%(?:25){0,2}(?:20|22|3a|3d)|\\{1,4}(?:["'nrt]|(?:u00|x)(?:20|22|27|3a|3d)))+/gi;
/** A JWT begins with a JSON object, `{"`, in base64url. */
const objectStart = 'eyJ';

const base64url = table('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const token68 = table('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/=');

/** Words that follow "bearer" in prose have fewer characters, or at least are written as words. */
const shortestToken = 6;
const longestWord = 19;
/** `{"alg":"HS256"}` has 20 characters in base64url, the shortest part that a JWT can begin with a few less. */
const shortestHeader = 10;

/** Bearer tokens, without the word before them, and JSON Web Tokens, which have three parts, or five if encrypted. */
export function findTokens(text: string): readonly Range[] {
  return [...findBearerTokens(text), ...findJwts(text)];
}

function* findBearerTokens(text: string): Generator<Range> {
  bearer.lastIndex = 0;
  for (let match = bearer.exec(text); match !== null; match = bearer.exec(text)) {
    const start = match.index + match[0].length;
    const end = runEnd(text, start, token68);
    if (end - start > longestWord) yield { start, end };
    else if (end - start >= shortestToken && !isWord(text.slice(start, end))) yield { start, end };
  }
}

/** Letters of one case but for the first, with what may stand between and behind words. */
function isWord(text: string): boolean {
  return !/[0-9_~+=]|[a-z][A-Z]/.test(text);
}

function* findJwts(text: string): Generator<Range> {
  let from = 0;
  for (;;) {
    const start = text.indexOf(objectStart, from);
    if (start < 0) return;
    let end = runEnd(text, start, base64url);
    let parts = 1;
    const isHeader = end - start >= shortestHeader;
    for (; isHeader && text[end] === '.' && parts < 5; parts++) end = runEnd(text, end + 1, base64url);
    if (parts >= 3) yield { start, end };
    from = end;
  }
}

function table(characters: string): Uint8Array {
  const result = new Uint8Array(128);
  for (const character of characters) result[character.charCodeAt(0)] = 1;
  return result;
}

/** A loop, because a pattern that is repeated some millions of times exhausts the regular expressions' stack. */
function runEnd(text: string, from: number, allowed: Uint8Array): number {
  let end = from;
  while (allowed[text.charCodeAt(end)] === 1) end++;
  return end;
}
