import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** What is wrong with a JSON text, and at which UTF-16 offset. */
export class JsonMistake extends Error {
  override readonly name = 'JsonMistake';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/**
 * JSON with the place of every value, so that a mistake in a file can be pointed at. Strict RFC 8259, and stricter in one thing: a key
 * given twice in an object is a mistake.
 */
export class LocatedJson {
  /** The plain value, as `JSON.parse` gives it. */
  readonly value: unknown;
  readonly #root: Node;

  /** @throws JsonMistake */
  constructor(text: string) {
    const errors: ParseError[] = [];
    // There is a tree where there is no error.
    this.#root = parseTree(text, errors, { disallowComments: true }) as Node;
    const [first] = errors;
    if (first !== undefined) throw mistakeOf(text, first);
    refuseRepeatedKeys(this.#root);
    this.value = JSON.parse(text);
  }

  /** The offset of the value at a path of keys and indexes, or of the innermost value on the way that exists. */
  offsetOf(path: readonly PropertyKey[]): number {
    const steps = path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    const node = findNodeAtLocation(this.#root, steps);
    return node?.offset ?? this.offsetOf(path.slice(0, -1));
  }
}

const string = 'a string that is not closed or holds a bad character';
const number = 'a number that JSON does not have';

/** By the parser's name of the error. The rest is an unexpected character. */
const messages: Readonly<Record<string, string>> = {
  UnexpectedEndOfString: string,
  InvalidUnicode: string,
  InvalidEscapeCharacter: string,
  InvalidCharacter: string,
  InvalidNumberFormat: number,
  UnexpectedEndOfNumber: number,
  InvalidCommentToken: 'a comment, which JSON does not have',
};

const expectations: Readonly<Record<string, string>> = {
  ValueExpected: 'a value',
  PropertyNameExpected: 'a key in double quotes',
  ColonExpected: '":"',
  CommaExpected: '","',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  EndOfFileExpected: 'the end of the file',
};

function mistakeOf(text: string, { error, offset }: ParseError): JsonMistake {
  const name = printParseErrorCode(error);
  const codePoint = text.codePointAt(offset);
  const found =
    codePoint === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(codePoint));
  const expected = expectations[name];
  return new JsonMistake(
    offset,
    messages[name] ??
      (expected === undefined ? `unexpected ${found}` : `expected ${expected}, found ${found}`),
  );
}

function refuseRepeatedKeys({ type, children = [] }: Node): void {
  const keys = new Set<unknown>();
  for (const child of children) {
    const [key] = type === 'object' ? (child.children ?? []) : [];
    if (key !== undefined && keys.has(key.value))
      throw new JsonMistake(key.offset, `the key ${JSON.stringify(key.value)} is given twice`);
    keys.add(key?.value);
    refuseRepeatedKeys(child);
  }
}
