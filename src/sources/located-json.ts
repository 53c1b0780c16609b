/**
 * JSON with the place of every value, so that a mistake in a file can be pointed at. Strict RFC 8259, and
 * stricter in one thing: a key given twice in an object is a mistake.
 */
export type LocatedValue =
  | { readonly kind: 'scalar'; readonly offset: number; readonly value: string | number | boolean | null }
  | { readonly kind: 'array'; readonly offset: number; readonly items: readonly LocatedValue[] }
  | { readonly kind: 'object'; readonly offset: number; readonly members: ReadonlyMap<string, LocatedValue> };

/** What is wrong with a JSON text, and at which UTF-16 offset. */
export class JsonMistake extends Error {
  override readonly name = 'JsonMistake';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Nesting beyond this is refused: no schema comes near it (BigQuery allows 15 levels of records). */
const maxDepth = 200;

/** Parses a JSON text; throws `JsonMistake`. */
export function parseLocatedJson(text: string): LocatedValue {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** The plain value, as `JSON.parse` would give it. */
export function plainValue(located: LocatedValue): unknown {
  switch (located.kind) {
    case 'scalar':
      return located.value;
    case 'array':
      return located.items.map(plainValue);
    case 'object':
      return Object.fromEntries([...located.members].map(([key, value]) => [key, plainValue(value)]));
  }
}

/** The offset of the value at a path of keys and indexes, or of the innermost value on the way that exists. */
export function offsetOf(located: LocatedValue, path: readonly PropertyKey[]): number {
  let at = located;
  for (const step of path) {
    const next =
      at.kind === 'array'
        ? at.items[Number(step)]
        : at.kind === 'object'
          ? at.members.get(String(step))
          : undefined;
    if (next === undefined) break;
    at = next;
  }
  return at.offset;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): LocatedValue {
    this.#skipSpace();
    const offset = this.#at;
    if (depth > maxDepth) throw new JsonMistake(offset, `more than ${maxDepth} levels of nesting`);
    switch (this.#text[offset]) {
      case '{':
        return { kind: 'object', offset, members: this.#members(depth) };
      case '[':
        return { kind: 'array', offset, items: this.#items(depth) };
      case '"':
        return { kind: 'scalar', offset, value: this.#string() };
      default:
        return { kind: 'scalar', offset, value: this.#word() };
    }
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the file');
  }

  #members(depth: number): Map<string, LocatedValue> {
    const members = new Map<string, LocatedValue>();
    this.#at += 1;
    if (this.#take('}')) return members;
    do {
      this.#skipSpace();
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw this.#unexpected('a key in double quotes');
      const key = this.#string();
      if (members.has(key)) throw new JsonMistake(keyAt, `the key ${JSON.stringify(key)} is given twice`);
      this.#expect(':');
      members.set(key, this.value(depth + 1));
    } while (this.#take(','));
    this.#expect('}', '"," or "}"');
    return members;
  }

  #items(depth: number): LocatedValue[] {
    const items: LocatedValue[] = [];
    this.#at += 1;
    if (this.#take(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.#take(','));
    this.#expect(']', '"," or "]"');
    return items;
  }

  #string(): string {
    const start = this.#at;
    const token = this.#match(/"(?:[^"\\]|\\.)*"/y);
    try {
      return JSON.parse(token ?? '');
    } catch {
      throw new JsonMistake(start, 'a string that is not closed or holds a bad character');
    }
  }

  #word(): number | boolean | null {
    const token = this.#match(
      /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y,
    );
    if (token === undefined) throw this.#unexpected('a value');
    return JSON.parse(token);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token !== undefined) this.#at += token.length;
    return token;
  }

  #take(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string, wanted = `"${character}"`): void {
    if (!this.#take(character)) throw this.#unexpected(wanted);
  }

  #skipSpace(): void {
    this.#match(/[ \t\r\n]*/y);
  }

  #unexpected(wanted: string): JsonMistake {
    const codePoint = this.#text.codePointAt(this.#at);
    const found =
      codePoint === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(codePoint));
    return new JsonMistake(this.#at, `expected ${wanted}, found ${found}`);
  }
}
