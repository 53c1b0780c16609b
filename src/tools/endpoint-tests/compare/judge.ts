import type { ErrorCode, GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import type { JsonObject } from '../../../base/text/exact-json.ts';
import { suggestion } from '../../../base/text/suggest.ts';
import { type Expectation, expectationKinds, type ResultProperty } from '../cases/test-file.ts';
import { pairRows, type RowPair } from './pair-rows.ts';
import { rowMatches } from './row-differences.ts';

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
  const text =
    expected.length === actual.length
      ? `${counted(different, 'row')} of ${actual.length} ${different === 1 ? 'differs' : 'differ'}`
      : `expected ${counted(expected.length, 'row')}, got ${actual.length}`;
  return [
    { key: 'rows', text, rows: { pairs, partial, columns }, isUpdatable: true },
    ...absentColumns(expected, columns).map(({ text }) => ({ key: 'rows', text, isUpdatable: true })),
  ];
}

/** Columns that rows name and the result lacks. */
function absentColumns(rows: readonly JsonObject[], columns: readonly string[]): PropertyFailure[] {
  const named = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...named]
    .filter((name) => !columns.includes(name))
    .map((name) => ({ text: `the result has no column "${name}"${suggestion(name, columns)}` }));
}

function judgeProperties(expect: Expectation, result: ResultOutcome): Failure[] {
  return expectationKinds.properties.flatMap((key) => judgeProperty(key, expect, result));
}

function judgeProperty<Key extends ResultProperty>(
  key: Key,
  expect: Expectation,
  result: ResultOutcome,
): Failure[] {
  const expected = expect[key];
  if (expected === undefined) return [];
  return judges[key](expected, result).map((failure) => ({ key, ...failure }));
}

type PropertyFailure = Omit<Failure, 'key'>;

/** How each property is judged. */
const judges: {
  readonly [Key in ResultProperty]: (
    expected: NonNullable<Expectation[Key]>,
    result: ResultOutcome,
  ) => PropertyFailure[];
} = {
  empty: (expected, { rows }) => {
    if (expected === (rows.length === 0)) return [];
    const text = expected ? `expected no rows, got ${rows.length}` : 'expected rows, got none';
    return [{ text, actual: rows }];
  },
  count: (expected, { rows }) =>
    expected === rows.length
      ? []
      : [{ text: `expected ${counted(expected, 'row')}, got ${rows.length}`, actual: rows }],
  minCount: (least, { rows }) =>
    rows.length >= least
      ? []
      : [{ text: `expected at least ${counted(least, 'row')}, got ${rows.length}`, actual: rows }],
  maxCount: (most, { rows }) =>
    rows.length <= most
      ? []
      : [{ text: `expected at most ${counted(most, 'row')}, got ${rows.length}`, actual: rows }],
  columns: (expected, { columns }) =>
    expected.join('\n') === columns.join('\n')
      ? []
      : [{ text: `expected the columns ${list(expected)}; got ${list(columns)}` }],
  contains: (parts, result) =>
    (parts as readonly JsonObject[]).flatMap((part) => judgeContained(part, result)),
  excludes: (parts, result) =>
    (parts as readonly JsonObject[]).flatMap((part) => judgeExcluded(part, result)),
  truncated: (expected, { truncated }) =>
    expected === truncated
      ? []
      : [{ text: truncated ? 'the result is truncated' : 'the result is not truncated' }],
};

function judgeContained(part: JsonObject, { rows, columns }: ResultOutcome): PropertyFailure[] {
  if (rows.some((row) => rowMatches(part, row, true))) return [];
  // Shows how the closest row differs.
  const pairs = pairRows([part], rows, { ordered: false, partial: true }).slice(0, 1);
  const closest = pairs[0]?.actual === undefined ? '' : '. The closest one:';
  const text = `no row of ${rows.length} is as expected${closest}`;
  return [{ text, rows: { pairs, partial: true, columns } }, ...absentColumns([part], columns)];
}

function judgeExcluded(part: JsonObject, { rows, columns }: ResultOutcome): PropertyFailure[] {
  const absent = absentColumns([part], columns);
  const found = rows.filter((row) => rowMatches(part, row, true));
  if (found.length === 0) return absent;
  const text = `${counted(found.length, 'row')} of ${rows.length} ${found.length === 1 ? 'is' : 'are'} excluded`;
  return [...absent, { text, actual: found }];
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** The outcome of a call. */
export type Outcome = ResultOutcome | ErrorOutcome;

interface ResultOutcome {
  readonly columns: readonly string[];
  /** As REST renders them. */
  readonly rows: readonly JsonObject[];
  readonly truncated: boolean;
}

interface ErrorOutcome {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly parameter?: string };
}

export function isError(outcome: Outcome): outcome is ErrorOutcome {
  return 'error' in outcome;
}

/** The outcome of a call that ends with an error. */
export function errorOutcome({ code, message, details: { parameter } }: GatewayError): ErrorOutcome {
  return { error: { code, message, ...(parameter !== undefined && { parameter }) } };
}
