import { aggregateFunctions } from '../../src/engines/duckdb/functions/aggregates/aggregates.ts';
import { windowFunctions } from '../../src/engines/duckdb/functions/aggregates/windows.ts';
import { refusedFunctions } from '../../src/engines/duckdb/functions/refused-functions.ts';
import { scalarFunctions } from '../../src/engines/duckdb/functions/scalar-functions.ts';
import type { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import { declaredFunctions } from '../../src/sql/analyzer/declared-functions.ts';
import { builtinFunctionOptions } from '../../src/sql/analyzer/language.ts';

/** Operators and syntax that the analyzer takes for calls, as people write them. */
const operators: Readonly<Record<string, string>> = {
  $add: '+',
  $and: 'AND',
  $array_at_offset: 'array[OFFSET(n)]',
  $array_at_ordinal: 'array[ORDINAL(n)]',
  $between: 'BETWEEN',
  $bitwise_and: '&',
  $bitwise_left_shift: '<<',
  $bitwise_not: '~',
  $bitwise_or: '&#124;',
  $bitwise_right_shift: '>>',
  $bitwise_xor: '^',
  $case_no_value: 'CASE WHEN',
  $case_with_value: 'CASE x WHEN',
  $concat_op: '&#124;&#124;',
  $count_star: 'COUNT(*)',
  $divide: '/',
  $equal: '=',
  $extract: 'EXTRACT',
  $extract_date: 'EXTRACT(DATE)',
  $extract_datetime: 'EXTRACT(DATETIME)',
  $extract_time: 'EXTRACT(TIME)',
  $greater: '>',
  $greater_or_equal: '>=',
  $in: 'IN',
  $in_array: 'IN UNNEST',
  $interval: 'INTERVAL',
  $is_distinct_from: 'IS DISTINCT FROM',
  $is_false: 'IS FALSE',
  $is_not_distinct_from: 'IS NOT DISTINCT FROM',
  $is_null: 'IS NULL',
  $is_true: 'IS TRUE',
  $less: '<',
  $less_or_equal: '<=',
  $like: 'LIKE',
  $like_all: 'LIKE ALL',
  $like_all_array: 'LIKE ALL UNNEST',
  $like_any: 'LIKE ANY',
  $like_any_array: 'LIKE ANY UNNEST',
  $make_array: '[...]',
  $multiply: '*',
  $not: 'NOT',
  $not_equal: '!=',
  $or: 'OR',
  $safe_array_at_offset: 'array[SAFE_OFFSET(n)]',
  $safe_array_at_ordinal: 'array[SAFE_ORDINAL(n)]',
  $subscript: 'json[...]',
  $subtract: '-',
  $unary_minus: '-x',
};

/** What the analyzer shows as functions though no text can call it: subscripts of types that BigQuery lacks. */
const unreachable = new Set(['$subscript_with_key', '$subscript_with_offset', '$subscript_with_ordinal']);

/** The document has one sentence about these: none is supported. */
const ofGeographies = /^(?:st|s2)_/;

/** Functions that the analyzer writes out in terms of others, or in a node of its own, so that no engine meets them. */
export const writtenOut: ReadonlySet<string> = new Set([
  '$concat_op',
  'array_avg',
  'array_filter',
  'array_first',
  'array_includes',
  'array_includes_all',
  'array_includes_any',
  'array_last',
  'array_max',
  'array_min',
  'array_slice',
  'array_sum',
  'array_transform',
  'flatten',
  'grouping',
  'nullifzero',
  'typeof',
  'zeroifnull',
]);

const offered = { ...scalarFunctions, ...aggregateFunctions, ...windowFunctions };

interface Builtin {
  readonly name_path: readonly string[];
  readonly mode?: string;
}

/** One function of the analyzer's catalog. */
export interface FunctionSupport {
  readonly name: string;
  /** Its name in documents. */
  readonly label: string;
  readonly kind: 'scalar' | 'aggregate' | 'window' | 'operator';
  /** `yes`, or `no: <reason>`; the reason is missing for what nobody thought of. */
  readonly support: string;
}

/** Every function of the analyzer's catalog, operators last, each in the order of their names. */
export async function functionSupport(analyzer: Analyzer): Promise<readonly FunctionSupport[]> {
  const answer = (await analyzer.call('getBuiltinFunctions', builtinFunctionOptions)) as {
    readonly function: readonly Builtin[];
  };
  const declared = declaredFunctions.map(({ name, mode }) => ({ name_path: [name.toLowerCase()], mode }));
  const functions = [...answer.function, ...declared]
    .map(({ name_path, mode = 'SCALAR' }) => ({ name: name_path.join('.'), mode }))
    .filter(({ name }) => !unreachable.has(name) && !ofGeographies.test(name))
    .map(({ name, mode }): FunctionSupport => {
      const operator = operators[name];
      const kind = mode === 'AGGREGATE' ? 'aggregate' : mode === 'ANALYTIC' ? 'window' : 'scalar';
      return {
        name,
        label: operator ?? name.toUpperCase(),
        kind: operator === undefined ? kind : 'operator',
        support: supportOf(name),
      };
    });
  const rank = ({ kind, name }: FunctionSupport) => `${kind === 'operator' ? 1 : 0}${name}`;
  return functions.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function supportOf(name: string): string {
  if (name in offered || writtenOut.has(name)) return 'yes';
  return `no: ${refusedFunctions[name] ?? ''}`;
}

/** The rows of the table in docs/googlesql.md. */
export function functionRows(functions: readonly FunctionSupport[]): string[] {
  return functions.map(({ label, kind, support }) => `| \`${label}\` | ${kind} | ${support} |`);
}
