import { Failure } from '../values/function-errors.ts';
import { repeatsAtMost } from './analysis.ts';
import { asciiClass, type Matcher, not, perlClass, range, single, unicodeClass } from './character-set.ts';
import type { Assertion, Flags, Node, Pattern } from './syntax.ts';

/** RE2's own limits for one repetition, and for nested groups. */
const maxRepetition = 1000;
const maxNesting = 1000;

const escapes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

const assertions: Readonly<Record<string, Assertion>> = {
  A: 'textStart',
  b: 'wordBoundary',
  B: 'noWordBoundary',
  z: 'textEnd',
};

/** A set of one character, after its bracket: `[.]` or `[\.]`. */
const setOfOne = /^(?:[^\\^]|\\[!-/:-@[-`{-~])\]$/su;

function fail(reason: string): never {
  throw new Failure(`Cannot parse regular expression: ${reason.slice(0, 200)}`);
}

/** Parses a regular expression in RE2's syntax. @throws Failure when it is invalid */
export function parsePattern(pattern: string): Pattern {
  return new Parser(pattern).parse();
}

class Parser {
  readonly #characters: readonly string[];
  readonly #pattern: string;
  #at = 0;
  #groups = 0;
  #depth = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#characters = Array.from(pattern);
  }

  parse(): Pattern {
    const root = this.#choice();
    if (this.#at < this.#characters.length) fail(`unexpected ): ${this.#pattern}`);
    return { root, groups: this.#groups };
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    return this.#characters[this.#at++] ?? fail(`unexpected end: ${this.#pattern}`);
  }

  #takes(text: string): boolean {
    const parts = Array.from(text);
    if (!parts.every((part, i) => this.#characters[this.#at + i] === part)) return false;
    this.#at += parts.length;
    return true;
  }

  #takeUntil(end: string): string | undefined {
    const start = this.#at;
    for (let at = start; at < this.#characters.length; at++) {
      if (this.#characters[at] !== end) continue;
      this.#at = at + 1;
      return this.#characters.slice(start, at).join('');
    }
    return undefined;
  }

  #choice(): Node {
    const options: Node[] = [this.#sequence()];
    while (this.#takes('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] ?? { kind: 'empty' }) : { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#next !== undefined && this.#next !== '|' && this.#next !== ')') {
      const atom = this.#takes('\\Q') ? this.#quoted() : this.#atom();
      if (atom !== undefined) parts.push(...this.#repeated(atom));
    }
    return { kind: 'sequence', parts };
  }

  /** The characters up to `\E`. A repetition applies to the last of them. */
  #quoted(): Node {
    const parts: Node[] = [];
    while (this.#next !== undefined && !this.#takes('\\E')) parts.push(this.#literal(this.#take()));
    return parts.length === 1 ? (parts[0] ?? { kind: 'empty' }) : { kind: 'sequence', parts };
  }

  #repeated(atom: Node): readonly Node[] {
    let node = atom;
    let isRepeated = false;
    for (;;) {
      const start = this.#at;
      const bounds = this.#bounds();
      if (bounds === undefined) return [node];
      if (isRepeated) fail(`bad repetition operator: ${this.#pattern}`);
      isRepeated = true;
      const isGreedy = this.#takes('?') === this.#flags.U;
      // After a quotation, only the last character is repeated.
      if (node.kind === 'sequence') {
        const inner = node.parts.at(-1) ?? { kind: 'empty' };
        return [...node.parts.slice(0, -1), { kind: 'repeat', inner, ...bounds, isGreedy }];
      }
      node = { kind: 'repeat', inner: node, ...bounds, isGreedy };
      const isCounted = bounds.min > 1 || (bounds.max > 1 && Number.isFinite(bounds.max));
      if (isCounted && !repeatsAtMost(node, maxRepetition))
        fail(`invalid repetition size: ${this.#characters.slice(start, this.#at).join('')}`);
    }
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#takes('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#takes('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#takes('?')) return { min: 0, max: 1 };
    if (this.#next !== '{') return undefined;
    const written = /^\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/.exec(
      this.#characters.slice(this.#at, this.#at + 16).join(''),
    );
    if (written === null) return undefined;
    const min = Number(written[1]);
    const max = written[2] === undefined ? min : Number(written[3] ?? Number.POSITIVE_INFINITY);
    if (min > maxRepetition || (Number.isFinite(max) && max > maxRepetition) || max < min)
      fail(`invalid repetition size: ${written[0]}`);
    this.#at += written[0].length;
    return { min, max };
  }

  #literal(character: string): Node {
    const { i } = this.#flags;
    return { kind: 'character', matches: single(character, i), ...(!i && { literal: character }) };
  }

  #atom(): Node | undefined {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#set();
      case '.': {
        const { s } = this.#flags;
        return { kind: 'character', matches: (each) => s || each !== '\n' };
      }
      case '^':
        return { kind: 'assertion', assertion: this.#flags.m ? 'lineStart' : 'textStart' };
      case '$':
        return { kind: 'assertion', assertion: this.#flags.m ? 'lineEnd' : 'textEnd' };
      case '*':
      case '+':
      case '?':
        return fail(`no argument for repetition operator: ${character}`);
      case '\\':
        return this.#escape();
      default:
        if (character === '{') this.#refuseRepetition();
        return this.#literal(character);
    }
  }

  /** Refuses `{2}` without an operand, after its brace was consumed. A brace in another form is literal. */
  #refuseRepetition(): void {
    const start = --this.#at;
    if (this.#bounds() === undefined) this.#at++;
    else fail(`no argument for repetition operator: ${this.#characters.slice(start, this.#at).join('')}`);
  }

  #group(): Node | undefined {
    if (++this.#depth > maxNesting) fail('expression nests too deeply');
    const outer = this.#flags;
    let index: number | undefined;
    if (!this.#takes('?')) index = ++this.#groups;
    else if (this.#takes('P<')) index = this.#namedGroup();
    else if (this.#setFlags() === 'alone') {
      this.#depth--;
      return undefined;
    }
    const inner = this.#choice();
    if (!this.#takes(')')) fail(`missing ): ${this.#pattern}`);
    this.#flags = outer;
    this.#depth--;
    // Only quotations are sequences without a group.
    return index === undefined ? { kind: 'choice', options: [inner] } : { kind: 'group', index, inner };
  }

  #namedGroup(): number {
    const name = this.#takeUntil('>');
    if (name === undefined || !/^\w+$/.test(name)) fail(`invalid named capture group: ${this.#pattern}`);
    return ++this.#groups;
  }

  /** `(?i)` applies to the rest of the enclosing group, `(?i:...)` to its content. */
  #setFlags(): 'alone' | 'group' {
    let value = true;
    for (;;) {
      const flag = this.#take();
      if (flag === ')') return 'alone';
      if (flag === ':') return 'group';
      if (flag === '-') value = false;
      else if ('imsU'.includes(flag)) this.#flags = { ...this.#flags, [flag]: value };
      else fail(`invalid perl operator: (?${flag}`);
    }
  }

  #escape(): Node {
    const letter = this.#next ?? fail('trailing \\');
    const assertion = assertions[letter];
    if (assertion !== undefined) {
      this.#at++;
      return { kind: 'assertion', assertion };
    }
    if (letter === 'C') fail('invalid escape sequence: \\C');
    const matches = this.#escapedClass();
    return matches === undefined ? this.#literal(this.#escapedCharacter()) : { kind: 'character', matches };
  }

  /** A class after a backslash, which was consumed. */
  #escapedClass(): Matcher | undefined {
    const letter = this.#next ?? '';
    const perl = perlClass(letter, this.#flags.i);
    if (perl !== undefined && letter.length === 1) {
      this.#at++;
      return perl;
    }
    if (letter !== 'p' && letter !== 'P') return undefined;
    this.#at++;
    const name = this.#takes('{') ? this.#takeUntil('}') : this.#take();
    if (name === undefined) fail('invalid character class range: \\p');
    return unicodeClass(name, letter === 'P', this.#flags.i);
  }

  #escapedCharacter(): string {
    const letter = this.#take();
    const code = escapes[letter];
    if (code !== undefined) return String.fromCodePoint(code);
    if (letter === 'x') return this.#hexadecimal();
    if (/[0-7]/.test(letter)) {
      // A single digit from 1 to 7 would be a backreference, which RE2 lacks.
      let digits = letter;
      while (digits.length < 3 && /^[0-7]$/.test(this.#next ?? '')) digits += this.#take();
      if (letter !== '0' && digits.length === 1) fail(`invalid escape sequence: \\${letter}`);
      return String.fromCodePoint(Number.parseInt(digits, 8));
    }
    if (/^[0-9A-Za-z]$|[^\0-\x7f]/.test(letter)) fail(`invalid escape sequence: \\${letter}`);
    return letter;
  }

  #hexadecimal(): string {
    const digits = this.#takes('{') ? (this.#takeUntil('}') ?? '') : this.#take() + this.#take();
    const code = /^[0-9a-fA-F]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(code <= 0x10ffff)) fail(`invalid escape sequence: \\x${digits}`);
    return String.fromCodePoint(code);
  }

  #set(): Node {
    const start = this.#at;
    const isNegated = this.#takes('^');
    const matchers: Matcher[] = [];
    for (let isFirst = true; isFirst || this.#next !== ']'; isFirst = false) {
      if (this.#next === undefined) fail(`missing ]: ${this.#pattern}`);
      matchers.push(this.#setPart());
    }
    this.#at++;
    const written = this.#characters.slice(start, this.#at);
    if (setOfOne.test(written.join(''))) return this.#literal(written.at(-2) ?? '');
    const matches = not((character) => matchers.some((each) => each(character)), isNegated);
    return { kind: 'character', matches };
  }

  #setPart(): Matcher {
    const { i } = this.#flags;
    if (this.#takes('[:')) {
      const name = this.#takeUntil(']') ?? '';
      if (!name.endsWith(':')) fail(`invalid character class range: [:${name}]`);
      return asciiClass(name.slice(0, -1), i);
    }
    const first = this.#setCharacter();
    if (typeof first !== 'string') return first;
    if (this.#next !== '-' || this.#characters[this.#at + 1] === ']') return single(first, i);
    this.#at++;
    const last = this.#setCharacter();
    if (typeof last !== 'string') return fail(`invalid character class range: ${this.#pattern}`);
    const [low, high] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
    if (high < low) fail(`invalid character class range: ${first}-${last}`);
    return range(low, high, i);
  }

  #setCharacter(): string | Matcher {
    const character = this.#take();
    return character === '\\' ? (this.#escapedClass() ?? this.#escapedCharacter()) : character;
  }
}

/** The error in a regular expression, in BigQuery's words. Undefined if it is valid RE2 syntax. */
export function regexpMistake(pattern: string): string | undefined {
  try {
    parsePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
