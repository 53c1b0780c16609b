import { counted } from '../../text/counted.ts';
import type { JsonObject } from '../../text/exact-json.ts';
import { suggestion } from '../../text/suggest.ts';
import { type ErrorOutcome, isError, type Outcome, type ResultOutcome } from '../outcome.ts';
import type { Expectation } from '../test-file.ts';
import { pairRows, type RowPair } from './pair-rows.ts';
import { rowMatches } from './row-matches.ts';

/** Why a case failed. */
export interface Failure {
  /** One sentence, such as `expected 2 rows, got 3`. */
  readonly text: string;
  /** The key of the expectation, such as `rows`. */
  readonly key: string;
  /** The compared rows. */
  readonly rows?: ComparedRows;
  /** Rows to show besides: those of the result. */
  readonly actual?: readonly JsonObject[];
  /** Whether writing the actual rows into the file would make the case pass. */
  readonly isUpdatable?: boolean;
}

export interface ComparedRows {
  readonly pairs: readonly RowPair[];
  readonly partial: boolean;
  /** In the order of the query. */
  readonly columns: readonly string[];
}

/** Compares the outcome of a case with its expectation. Empty if it is as expected. */
export function judge(expect: Expectation, outcome: Outcome): Failure[] {
  if (expect.error !== undefined) return judgeError(expect.error, outcome);
  if (isError(outcome)) return [unexpectedError(outcome)];
  return expect.rows === undefined ? judgeProperties(expect, outcome) : judgeRows(expect, outcome);
}

function unexpectedError({ error: { code, message } }: ErrorOutcome): Failure {
  return { key: 'expect', text: `the call failed with ${code}: ${message}` };
}

function judgeError(expected: NonNullable<Expectation['error']>, outcome: Outcome): Failure[] {
  if (!isError(outcome)) {
    const text = `expected an error${expected.code === undefined ? '' : ` ${expected.code}`}, got ${counted(outcome.rows.length, 'row')}`;
    return [{ key: 'error', text, actual: outcome.rows }];
  }
  const { code, message, parameter } = outcome.error;
  const got = `got ${code}: ${message}`;
  const failures: Failure[] = [];
  if (expected.code !== undefined && expected.code !== code)
    failures.push({ key: 'error', text: `expected the error ${expected.code}, ${got}` });
  if (expected.message !== undefined && !message.includes(expected.message))
    failures.push({
      key: 'error',
      text: `expected an error with ${JSON.stringify(expected.message)}, ${got}`,
    });
  if (expected.parameter !== undefined && expected.parameter !== parameter) {
    const named = parameter === undefined ? 'the error names none' : `the error names "${parameter}"`;
    failures.push({
      key: 'error',
      text: `expected an error of the parameter "${expected.parameter}"; ${named}`,
    });
  }
  return failures;
}

function judgeRows(
  { rows, ordered = true, partial = false }: Expectation,
  { rows: actual, columns }: ResultOutcome,
): Failure[] {
  const expected = rows as readonly JsonObject[];
  const pairs = pairRows(expected, actual, { ordered, partial });
  const different = pairs.filter(({ isSame }) => !isSame).length;
  if (different === 0) return [];
  const unknown = unknownColumns(expected, columns);
  const text =
    expected.length === actual.length
      ? `${counted(different, 'row')} of ${actual.length} ${different === 1 ? 'differs' : 'differ'}`
      : `expected ${counted(expected.length, 'row')}, got ${actual.length}`;
  return [
    { key: 'rows', text, rows: { pairs, partial, columns }, isUpdatable: true },
    ...unknown.map((name) => ({
      key: 'rows',
      text: `the result has no column "${name}"${suggestion(name, columns)}`,
      isUpdatable: true,
    })),
  ];
}

function unknownColumns(rows: readonly JsonObject[], columns: readonly string[]): string[] {
  const named = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...named].filter((name) => !columns.includes(name));
}

function judgeProperties(expect: Expectation, { rows, columns, truncated }: ResultOutcome): Failure[] {
  const failures: Failure[] = [];
  const add = (key: string, text: string, more: Partial<Failure> = {}) =>
    failures.push({ key, text, ...more });
  const actual = { actual: rows };
  if (expect.empty !== undefined && expect.empty !== (rows.length === 0))
    add('empty', expect.empty ? `expected no rows, got ${rows.length}` : 'expected rows, got none', actual);
  if (expect.count !== undefined && expect.count !== rows.length)
    add('count', `expected ${counted(expect.count, 'row')}, got ${rows.length}`, actual);
  if (expect.minCount !== undefined && rows.length < expect.minCount)
    add('minCount', `expected at least ${counted(expect.minCount, 'row')}, got ${rows.length}`, actual);
  if (expect.maxCount !== undefined && rows.length > expect.maxCount)
    add('maxCount', `expected at most ${counted(expect.maxCount, 'row')}, got ${rows.length}`, actual);
  if (expect.columns !== undefined && expect.columns.join('\n') !== columns.join('\n'))
    add('columns', `expected the columns ${list(expect.columns)}; got ${list(columns)}`);
  if (expect.truncated !== undefined && expect.truncated !== truncated)
    add('truncated', truncated ? 'the result is truncated' : 'the result is not truncated');
  for (const part of (expect.contains ?? []) as readonly JsonObject[]) {
    if (rows.some((row) => rowMatches(part, row, true))) continue;
    // Shows how the closest row differs.
    const pairs = pairRows([part], rows, { ordered: false, partial: true }).slice(0, 1);
    const closest = pairs[0]?.actual === undefined ? '' : '. The closest one:';
    add('contains', `no row of ${rows.length} is as expected${closest}`, {
      rows: { pairs, partial: true, columns },
    });
    for (const name of unknownColumns([part], columns))
      add('contains', `the result has no column "${name}"${suggestion(name, columns)}`);
  }
  for (const part of (expect.excludes ?? []) as readonly JsonObject[]) {
    for (const name of unknownColumns([part], columns))
      add('excludes', `the result has no column "${name}"${suggestion(name, columns)}`);
    const found = rows.filter((row) => rowMatches(part, row, true));
    if (found.length > 0)
      add(
        'excludes',
        `${counted(found.length, 'row')} of ${rows.length} ${found.length === 1 ? 'is' : 'are'} excluded`,
        {
          actual: found,
        },
      );
  }
  return failures;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
