/** The kinds of tokens, by the code of their first character. Another code is that of a word: a number, `true`, or no JSON. */
export const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
export const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
export const endOfText = -1;

const backslash = 0x5c;

/** Finds the tokens of a JSON text, one after the other, whether it is valid or not: that is for `JsonReader` to check. */
export class JsonTokens {
  readonly text: string;
  /** Where the current token begins. */
  start = 0;
  /** Where it ends. The next one is searched from there. */
  end = 0;
  /** Arrays and objects that are open after the current mark. Negative after more ends than beginnings. */
  depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next token and returns its kind. Of a string or a word, it finds the beginning: the user sets `end`. */
  token(): number {
    const { text } = this;
    let at = this.end;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.start = at;
    this.end = at + 1;
    return at < text.length ? code : endOfText;
  }

  /** Moves to the next bracket or comma outside of strings. Returns its kind. */
  nextMark(): number {
    const { text } = this;
    const { length } = text;
    for (let at = this.end; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        at = this.#endOfString(at) - 1;
        continue;
      }
      if (code !== comma) {
        if (code === openArray || code === openObject) this.depth++;
        else if (code === closeArray || code === closeObject) this.depth--;
        else continue;
      }
      this.start = at;
      this.end = at + 1;
      return code;
    }
    this.start = length;
    this.end = length;
    return endOfText;
  }

  /** Moves to the next string. Returns whether there is one. */
  nextString(): boolean {
    this.start = this.text.indexOf('"', this.end);
    if (this.start === -1) return false;
    this.end = this.#endOfString(this.start);
    return true;
  }

  #endOfString(start: number): number {
    let end = start;
    do end = this.text.indexOf('"', end + 1);
    while (end !== -1 && this.#isEscaped(end));
    return end === -1 ? this.text.length : end + 1;
  }

  #isEscaped(at: number): boolean {
    let first = at;
    while (this.text.charCodeAt(first - 1) === backslash) first--;
    return (at - first) % 2 === 1;
  }
}

/** The size of a JSON text by its brackets and commas, whether it is valid or not. */
interface JsonShape {
  /** Maximum depth of nested arrays and objects. */
  readonly depth: number;
  /** Approximate number of values, including members and elements. */
  readonly values: number;
}

/** Measures a text before it is parsed: parsing millions of levels or values takes seconds, and a hundred times their memory. */
export function shapeOfJson(text: string): JsonShape {
  const tokens = new JsonTokens(text);
  let depth = 0;
  let values = 1;
  for (let mark = tokens.nextMark(); mark !== endOfText; mark = tokens.nextMark()) {
    if (mark === comma || mark === openArray || mark === openObject) values++;
    if (tokens.depth > depth) depth = tokens.depth;
  }
  return { depth, values };
}

/** Whether the brackets of a text that begins with one close at its end or before, whether it is valid or not. */
export function closes(text: string): boolean {
  const tokens = new JsonTokens(text);
  for (let mark = tokens.nextMark(); mark !== endOfText; mark = tokens.nextMark())
    if (tokens.depth === 0 && (mark === closeArray || mark === closeObject)) return true;
  return false;
}

/**
 * The elements of a JSON array, each as written. They are separated, but not checked: the text is valid JSON if each of
 * them is.
 *
 * @returns undefined if the text is not in brackets, or something follows them
 */
export function jsonElements(text: string): Iterable<string> | undefined {
  const array = text.trim();
  return array.startsWith('[') && array.endsWith(']') ? split(array.slice(1, -1)) : undefined;
}

/** A member of a JSON object, each part as written. */
export interface JsonMember {
  /** With its quotes. */
  readonly key: string;
  readonly value: string;
}

/**
 * The members of a JSON object. They are separated, but not checked.
 *
 * @returns undefined if the text is not in braces, or something follows them, or a member has no key
 */
export function jsonMembers(text: string): readonly JsonMember[] | undefined {
  const object = text.trim();
  if (!object.startsWith('{') || !object.endsWith('}')) return undefined;
  const members: JsonMember[] = [];
  for (const member of split(object.slice(1, -1))) {
    const tokens = new JsonTokens(member);
    if (!tokens.nextString() || tokens.start > 0) return undefined;
    const key = member.slice(0, tokens.end);
    if (tokens.token() !== colon) return undefined;
    members.push({ key, value: member.slice(tokens.end).trim() });
  }
  return members;
}

function* split(content: string): Generator<string> {
  if (content.trim() === '') return;
  const tokens = new JsonTokens(content);
  let start = 0;
  for (let mark = tokens.nextMark(); mark !== endOfText; mark = tokens.nextMark()) {
    if (mark !== comma || tokens.depth !== 0) continue;
    yield content.slice(start, tokens.start).trim();
    start = tokens.end;
  }
  yield content.slice(start).trim();
}
