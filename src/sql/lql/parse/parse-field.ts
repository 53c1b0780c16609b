import {
  type Comparison,
  type FieldFilter,
  type FieldTest,
  type LevelFilter,
  levels,
  type Path,
} from '../syntax/syntax.ts';
import { parsePath } from './parse-path.ts';
import { parseValue, type WrittenValue } from './parse-value.ts';
import type { Scanner } from './scanner.ts';

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
