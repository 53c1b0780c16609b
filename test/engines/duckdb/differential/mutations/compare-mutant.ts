import { GatewayError } from '../../../../../src/base/errors/errors.ts';
import { readEngineError } from '../../../../../src/engines/duckdb/run/engine-error.ts';
import { AnalyzerError } from '../../../../../src/sql/analyzer/error.ts';
import { UnsupportedError } from '../../../../../src/sql/resolved/unsupported.ts';
import type { Row } from '../../../../../src/sql/values/value.ts';
import { comparable, type Differential, type Parameters } from '../differential.ts';
import { notEvaluable } from '../known-differences.ts';
import type { Mutant } from './mutants.ts';

/** How the engine and the evaluator compare. */
type Outcome =
  | { readonly kind: 'equal' | 'both fail' | 'not a query' | 'not evaluable' }
  | { readonly kind: 'refused' | Fault; readonly text: string };

type Fault = 'wrong' | 'fails' | 'internal error' | 'rows in place of an error';

/** The outcome of a mutant. */
export interface Compared {
  readonly kind: Outcome['kind'];
  /** The text that was run. */
  readonly sql: string;
  readonly text?: string;
}

const faults: ReadonlySet<string> = new Set<Fault>([
  'wrong',
  'fails',
  'internal error',
  'rows in place of an error',
]);

/** Whether the engine did something else than the evaluator, and didn't refuse the query by name. */
export function isFault({ kind }: Compared): boolean {
  return faults.has(kind);
}

const maxText = 600;

/** Runs a query with something in place of a literal, and the evaluator on the same. */
export async function compareMutant(
  differential: Differential,
  { sql, typed, parameter }: Mutant,
  known: Parameters,
): Promise<Compared> {
  const given = await withParameter(differential, parameter, known);
  if (given === undefined) return { kind: 'not a query', sql };
  const [text, refusal] = await analyzable(differential, typed === undefined ? [sql] : [sql, typed], given);
  if (refusal !== undefined) return { ...refusal, sql: text };
  return { ...(await outcome(differential, text, given)), sql: text };
}

/** Undefined if the literal has no value of its own: 9223372036854775808 stands behind a minus. */
async function withParameter(
  differential: Differential,
  parameter: Mutant['parameter'],
  known: Parameters,
): Promise<Parameters | undefined> {
  if (parameter === undefined) return known;
  const constant = await differential.constant(parameter.literal).catch(() => undefined);
  if (constant === undefined) return undefined;
  return new Map([...known, ['mutant', parameter.isMissing ? { ...constant, value: null } : constant]]);
}

/** The first of the texts that the analyzer accepts. */
async function analyzable(
  differential: Differential,
  texts: readonly string[],
  parameters: Parameters,
): Promise<readonly [string, Outcome | undefined]> {
  for (const sql of texts) {
    try {
      await differential.functions(sql, parameters);
      return [sql, undefined];
    } catch (error) {
      if (error instanceof UnsupportedError) return [sql, { kind: 'refused', text: error.message }];
      if (!(error instanceof AnalyzerError)) return [sql, { kind: 'internal error', text: String(error) }];
    }
  }
  return [texts[0] ?? '', { kind: 'not a query' }];
}

/** What the evaluator says of queries that it can't run, and of functions whose arguments it has given no type. */
const notForEvaluator =
  /not implemented|unimplemented|not supported|analyzer stopped|too long to analyze|In the function/i;

/** Each evaluation has other values. */
const isRandom = /\b(?:rand|generate_uuid)\s*\(/i;

async function outcome(differential: Differential, sql: string, parameters: Parameters): Promise<Outcome> {
  const rows = await settled(differential.folded(sql, parameters));
  if ('error' in rows && rows.error instanceof UnsupportedError)
    return { kind: 'refused', text: rows.error.message };
  if ('error' in rows && isInternalError(rows.error))
    return { kind: 'internal error', text: String(rows.error).slice(0, maxText) };
  const expected = await settled(
    notEvaluable.test(sql) ? differential.actual(sql, parameters) : differential.expected(sql, parameters),
  );
  if (isRandom.test(sql)) return { kind: 'not evaluable' };
  if ('error' in rows) {
    if ('error' in expected) return { kind: 'both fail' };
    return { kind: 'fails', text: String(rows.error).slice(0, maxText) };
  }
  if ('error' in expected) {
    const text = String(expected.error).slice(0, maxText);
    return notForEvaluator.test(text)
      ? { kind: 'not evaluable' }
      : { kind: 'rows in place of an error', text };
  }
  const wanted = comparable(expected.rows, false);
  // Without a border and with constants that DuckDB computes, it plans otherwise.
  const plain = await settled(differential.actual(sql, parameters));
  const difference =
    firstDifference(comparable(rows.rows, false), wanted) ??
    ('rows' in plain ? firstDifference(comparable(plain.rows, false), wanted) : undefined);
  return difference === undefined ? { kind: 'equal' } : { kind: 'wrong', text: difference };
}

function firstDifference(actual: readonly string[], wanted: readonly string[]): string | undefined {
  const length = Math.max(actual.length, wanted.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => actual[i] !== wanted[i]);
  return at === undefined ? undefined : `${actual[at]} instead of ${wanted[at]}`.slice(0, maxText);
}

/** Whether callers would read `The engine could not run the query`. */
function isInternalError(error: unknown): boolean {
  const text =
    error instanceof GatewayError
      ? (/^Parameter "\w+": (?:Error: )?(.*)$/s.exec(error.message)?.[1] ?? '')
      : error;
  return text !== '' && readEngineError(text).kind === 'engine' && /Error: /.test(String(text));
}

type Settled = { readonly rows: readonly Row[] } | { readonly error: unknown };

function settled(rows: Promise<readonly Row[]>): Promise<Settled> {
  return rows.then(
    (all) => ({ rows: all }),
    (error: unknown) => ({ error }),
  );
}
