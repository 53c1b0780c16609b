import type { FieldTest, Text } from '../syntax/syntax.ts';
import { parseQuoted } from './parse-quoted.ts';
import type { Scanner } from './scanner.ts';

/** A value before its use is known. */
export type WrittenValue =
  | ({ readonly kind: 'text' } & Text)
  | Extract<FieldTest, { readonly kind: 'between' | 'null' }>;

const number = String.raw`\d+(?:\.\d+)?`;
const date = String.raw`\d{4}-\d{2}-\d{2}`;
const datetime = String.raw`${date}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})?)?`;

const range = new RegExp(`^(${datetime}|${number})\\.\\.(${datetime}|${number})$`);
const single = new RegExp(`^(?:${datetime}|${number}|[A-Za-z0-9_]+)$`);
const quoteHint = '; values with other characters than letters, digits and _ are written in "quotes"';

/** Parses a value: a range, a date, a number, `NULL`, a word, or a text in quotes or parentheses. */
export function parseValue(scanner: Scanner): WrittenValue {
  const { at } = scanner;
  if (scanner.sees(/"/y)) {
    const text = parseQuoted(scanner);
    scanner.expectEnd(' after the quote');
    return { kind: 'text', text, at };
  }
  const parenthesised = scanner.take(/\(([^)]*)\)/y);
  if (parenthesised !== undefined) {
    scanner.expectEnd(' after the parenthesis');
    return { kind: 'text', text: parenthesised[1] ?? '', at };
  }
  if (scanner.sees(/\(/y)) scanner.fail('the parenthesis is never closed');
  const token = scanner.takeToken();
  if (token === '') scanner.fail('expected a value', at);
  if (token === 'NULL') return { kind: 'null' };
  if (single.test(token)) return { kind: 'text', text: token, at };
  const ends = range.exec(token);
  if (ends !== null) {
    const [, from = '', to = ''] = ends;
    if (isDate(from) !== isDate(to)) scanner.fail('expected a range of two numbers or two dates', at);
    const toAt = at + from.length + 2;
    return { kind: 'between', from: { text: from, at }, to: { text: to, at: toAt } };
  }
  if (!/^[A-Za-z0-9_]/.test(token)) scanner.fail(`expected a value${quoteHint}`, at);
  return scanner.fail(`expected white space or the end${quoteHint}`, at + goodPart(token));
}

function isDate(text: string): boolean {
  return text.includes('-');
}

/** The longest part of a token that could be a value. */
function goodPart(token: string): number {
  const parts = [new RegExp(`^${datetime}`), new RegExp(`^${number}`), /^[A-Za-z0-9_]+/];
  return Math.max(...parts.map((part) => part.exec(token)?.[0].length ?? 0));
}
