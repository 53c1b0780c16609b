import type { Range } from './range.ts';

/**
 * `Bearer` as in RFC 6750, section 2.1, or as a log or URL may write it. The token is searched behind it. Escape
 * sequences before it may end in a letter, as `\n` and `%3A` do.
 */
const bearer = /bearer/gi;
const behindBearer =
  /(?:[\s:="'+]|%(?:25){0,2}(?:20|22|3a|3d)|\\{1,4}(?:["'nrt]|(?:u00|x)(?:20|22|27|3a|3d))){1,1000}/iy;
/** A JWT begins with a JSON object, `{"`, in base64url. */
const objectStart = 'eyJ';

const base64url = runOf(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  escapeOf('2d|5f'),
);
const token68 = runOf(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/=',
  `${escapeOf('2b|2d|2e|2f|3d|5f|7e')}|\\\\{1,4}/`,
);
const anyEscape = new RegExp(escapeOf('[0-9a-f]{2}'), 'gi');
const percentSign = 0x25;
const backslash = 0x5c;
/** The separator between the parts of a JWT. */
const dot = new RegExp(`\\.|${escapeOf('2e')}`, 'iy');

/** Shorter texts after "bearer" are prose, and so are longer ones that look like words. */
const shortestToken = 6;
const longestWord = 19;
/** Minimum length of a JWT's first part. `{"alg":"HS256"}` has 20 characters in base64url. */
const shortestHeader = 10;

/** Finds bearer tokens, without the word before them, and JSON Web Tokens, which have three parts, or five if encrypted. */
export function findTokens(text: string): readonly Range[] {
  return [...findBearerTokens(text), ...findJwts(text)];
}

function* findBearerTokens(text: string): Generator<Range> {
  bearer.lastIndex = 0;
  for (let match = bearer.exec(text); match !== null; match = bearer.exec(text)) {
    const wordEnd = bearer.lastIndex;
    const start = endBehindBearer(text, wordEnd);
    if (start === wordEnd) continue;
    bearer.lastIndex = start;
    const end = runEnd(text, start, token68);
    const token = decoded(text.slice(start, end));
    if (token.length <= longestWord && (token.length < shortestToken || isWord(token))) continue;
    yield { start, end };
    bearer.lastIndex = end;
  }
}

/** A loop, for the same reason as in `runEnd`. */
function endBehindBearer(text: string, from: number): number {
  let end = from;
  for (behindBearer.lastIndex = end; behindBearer.test(text); end = behindBearer.lastIndex);
  return end;
}

/** Decodes the escape sequences in a text. */
function decoded(text: string): string {
  return text.replace(anyEscape, (sequence) => String.fromCharCode(Number.parseInt(sequence.slice(-2), 16)));
}

/** Whether a text looks like words: letters of one case except the first, with characters that occur between and after words. */
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
    if (end - start >= shortestHeader) {
      for (; parts < 5; parts++) {
        dot.lastIndex = end;
        if (!dot.test(text)) break;
        end = runEnd(text, dot.lastIndex, base64url);
      }
    }
    if (parts >= 3) yield { start, end };
    from = end;
  }
}

/** A set of characters, and the escaped forms of some in URLs and JSON. */
interface Run {
  readonly plain: Uint8Array;
  readonly escaped: RegExp;
}

function runOf(characters: string, escaped: string): Run {
  const plain = new Uint8Array(128);
  for (const character of characters) plain[character.charCodeAt(0)] = 1;
  return { plain, escaped: new RegExp(escaped, 'iy') };
}

/** Percent-encoded, perhaps several times, or escaped as in JSON. */
function escapeOf(codes: string): string {
  return `%(?:25){0,2}(?:${codes})|\\\\{1,4}(?:u00|x)(?:${codes})`;
}

/** A loop, because a pattern with millions of repetitions exhausts the stack of the regular expression engine. */
function runEnd(text: string, from: number, { plain, escaped }: Run): number {
  let end = from;
  for (;;) {
    const code = text.charCodeAt(end);
    if (plain[code] === 1) end++;
    else if (code === percentSign || code === backslash) {
      escaped.lastIndex = end;
      if (!escaped.test(text)) return end;
      end = escaped.lastIndex;
    } else return end;
  }
}
