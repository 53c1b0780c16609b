import { AnalyzerError } from '../../analyzer/error.ts';
import { type Token, tokens } from '../../text/lexer.ts';
import { positionAt } from '../../text/text-position.ts';
import { reserved } from './pieces.ts';

/** A range of tokens. The end is excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The tokens of a text, with their brackets matched. */
export class Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The index of the closing bracket, by that of the opening one. Unmatched brackets have none. */
  readonly #closers = new Map<number, number>();
  readonly #openers = new Map<number, number>();

  constructor(text: string) {
    this.text = text;
    this.tokens = [...tokens(text)];
    const open: number[] = [];
    this.tokens.forEach((token, index) => {
      if (token.kind !== 'symbol') return;
      if (closing[token.text] !== undefined) open.push(index);
      const opener = open.at(-1);
      if (opener === undefined || closing[this.tokens[opener]?.text ?? ''] !== token.text) return;
      this.#closers.set(opener, index);
      this.#openers.set(index, opener);
      open.pop();
    });
  }

  /** The whole text without a semicolon at its end. */
  get all(): Range {
    const { length } = this.tokens;
    return { from: 0, to: this.isSymbol(length - 1, ';') ? length - 1 : length };
  }

  closer(index: number): number | undefined {
    return this.#closers.get(index);
  }

  opener(index: number): number | undefined {
    return this.#openers.get(index);
  }

  isSymbol(index: number, text: string): boolean {
    const token = this.tokens[index];
    return token?.kind === 'symbol' && token.text === text;
  }

  /** Whether a token is one of these keywords. After a dot, even a keyword is a name. */
  isWord(index: number, ...words: readonly string[]): boolean {
    const token = this.tokens[index];
    return token?.kind === 'word' && words.includes(token.text) && !this.isSymbol(index - 1, '.');
  }

  /** Whether tokens are these keywords in a row. */
  areWords(index: number, ...words: readonly string[]): boolean {
    return words.every((word, offset) => this.isWord(index + offset, word));
  }

  /** Whether a token is a name, quoted or not reserved. */
  isName(index: number): boolean {
    const token = this.tokens[index];
    return token?.kind === 'name' || (token?.kind === 'word' && !reserved.has(token.text));
  }

  /** A name without quotes, in lower case. As in the analyzer, only ASCII letters have a case. */
  nameOf(index: number): string {
    const { kind, text } = this.tokens[index] ?? { kind: 'word', text: '' };
    const name = kind === 'name' ? text.slice(1, -1) : text;
    return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }

  /** The index after a token, or after the bracket that it opens. */
  after(index: number): number {
    return (this.closer(index) ?? index) + 1;
  }

  /** The indexes of a range that are not within its brackets. */
  *level({ from, to }: Range): Generator<number> {
    for (let index = from; index < to; index = this.after(index)) yield index;
  }

  find(range: Range, matches: (index: number) => boolean): number | undefined {
    for (const index of this.level(range)) if (matches(index)) return index;
    return undefined;
  }

  /** The parts of a range between its commas. A comma at the end is ignored. */
  items(range: Range): Range[] {
    const items: Range[] = [];
    let { from } = range;
    for (const index of this.level(range)) {
      if (!this.isSymbol(index, ',')) continue;
      items.push({ from, to: index });
      from = index + 1;
    }
    return from < range.to || items.length === 0 ? [...items, { from, to: range.to }] : items;
  }

  /** The index of the last token of each name that is not after a dot, in a range. */
  lastUses({ from, to }: Range): Map<string, number> {
    const uses = new Map<string, number>();
    for (let index = from; index < to; index++) {
      const { kind } = this.tokens[index] as Token;
      if ((kind === 'word' || kind === 'name') && !this.isSymbol(index - 1, '.'))
        uses.set(this.nameOf(index), index);
    }
    return uses;
  }

  /** The offset of a token in the text. */
  offset(index: number): number {
    return this.tokens[index]?.start ?? this.text.length;
  }

  /** An error at a token. */
  error(index: number, message: string): AnalyzerError {
    return new AnalyzerError(
      message,
      positionAt(this.text, Buffer.byteLength(this.text.slice(0, this.offset(index)))),
    );
  }

  /** The error for a token that can't be here. */
  unexpected(index: number): AnalyzerError {
    const token = this.tokens[index];
    if (token === undefined) return this.error(index, 'Syntax error: Unexpected end of statement');
    const isKeyword = token.kind === 'word' && reserved.has(token.text);
    const written = this.text.slice(token.start, token.end);
    return this.error(
      index,
      `Syntax error: Unexpected ${isKeyword ? `keyword ${token.text}` : `"${written}"`}`,
    );
  }
}
