import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Thrown for an invalid JSON text, with the UTF-16 offset of the error. */
export class JsonMistake extends Error {
  override readonly name = 'JsonMistake';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Parses JSON with the position of every value, for error messages. Strict RFC 8259, and duplicate keys in an object
 * are errors.
 */
export class LocatedJson {
  /** The plain value, as `JSON.parse` returns it. */
  readonly value: unknown;
  readonly #root: Node;

  /** @throws JsonMistake */
  constructor(text: string) {
    const errors: ParseError[] = [];
    // Without errors, there is a tree.
    this.#root = parseTree(text, errors, { disallowComments: true }) as Node;
    const [first] = errors;
    if (first !== undefined) throw mistakeOf(text, first);
    refuseRepeatedKeys(this.#root);
    this.value = JSON.parse(text);
  }

  /** The offset of the value at a path of keys and indexes, or of the innermost existing value on the path. */
  offsetOf(path: readonly PropertyKey[]): number {
    const steps = path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    const node = findNodeAtLocation(this.#root, steps);
    return node?.offset ?? this.offsetOf(path.slice(0, -1));
  }
}

const string = 'a string that is not closed or holds a bad character';
const number = 'a number that JSON does not have';

/** Messages by the parser's error code. All others are unexpected characters. */
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
