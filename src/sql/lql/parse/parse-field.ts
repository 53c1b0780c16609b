import {
  type Comparison,
  type FieldFilter,
  type FieldTest,
  type LevelFilter,
  levels,
  type Path,
  type Text,
} from '../syntax/syntax.ts';
import type { Scanner } from './scanner.ts';
import { parsePath, parseQuoted } from './scanner.ts';

/** A value before its use is known. */
type WrittenValue =
  | ({ readonly kind: 'text' } & Text)
  | Extract<FieldTest, { readonly kind: 'between' | 'null' }>;

const number = String.raw`\d+(?:\.\d+)?`;
const date = String.raw`\d{4}-\d{2}-\d{2}`;
const datetime = String.raw`${date}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})?)?`;

const range = new RegExp(`^(${datetime}|${number})\\.\\.(${datetime}|${number})$`);
const single = new RegExp(`^(?:${datetime}|${number}|[A-Za-z0-9_]+)$`);
const quoteHint = '; values with other characters than letters, digits and _ are written in "quotes"';

/** Parses a value: a range, a date, a number, `NULL`, a word, or a text in quotes or parentheses. */
function parseValue(scanner: Scanner): WrittenValue {
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

const operator = /:(@>~|@>|>=|<=|>|<|~)?/y;

/** Parses `path op value`. */
export function parseField(scanner: Scanner): FieldFilter | LevelFilter {
  const path = parsePath(scanner);
  const operatorAt = scanner.at;
  const [, sign = ''] = scanner.take(operator) ?? scanner.fail('expected :');
  if (path.names.join('.') === 'metadata.level' && sign === '' && scanner.sees(/[A-Za-z]+\.\./y)) {
    return parseLevels(scanner, path);
  }
  const value = parseValue(scanner);
  return {
    kind: 'field',
    path,
    test: fieldTest(sign, value, () =>
      scanner.fail(`${shown(value)} is not possible after :${sign}`, operatorAt),
    ),
  };
}

function fieldTest(sign: string, value: WrittenValue, refuse: () => never): FieldTest {
  if (value.kind === 'null') return sign === '' ? value : refuse();
  // Users do write :>=200..299. It means the range.
  if (value.kind === 'between') return /[~@]/.test(sign) ? refuse() : value;
  const { text, at } = value;
  switch (sign) {
    case '':
      return { kind: 'compare', comparison: '=', value: { text, at } };
    case '~':
      return { kind: 'regexp', pattern: { text, at } };
    case '@>':
      return { kind: 'includes', value: { text, at } };
    case '@>~':
      return { kind: 'includes regexp', pattern: { text, at } };
    default:
      return { kind: 'compare', comparison: sign as Comparison, value: { text, at } };
  }
}

function shown({ kind }: WrittenValue): string {
  return kind === 'null' ? 'NULL' : 'a range that is not in quotes';
}

/** Parses `info..error`. */
function parseLevels(scanner: Scanner, path: Path): LevelFilter {
  const from = parseLevel(scanner);
  scanner.take(/\.\./y);
  const toAt = scanner.at;
  const to = parseLevel(scanner);
  scanner.expectEnd('');
  if (levels.indexOf(from) > levels.indexOf(to)) {
    scanner.fail(`${to} is before ${from}: a range must be ascending`, toAt);
  }
  return { kind: 'level', from, to, path };
}

function parseLevel(scanner: Scanner) {
  const { at } = scanner;
  const name = scanner.take(/[A-Za-z]*/y)?.[0] ?? '';
  return levels.find((level) => level === name) ?? scanner.fail(`expected one of ${levels.join(', ')}`, at);
}
