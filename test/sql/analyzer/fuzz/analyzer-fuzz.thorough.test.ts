import { expect, test } from 'vitest';
import { AnalyzerDefect } from '../../../../src/sql/analyzer/error.ts';
import { builtinFunctionOptions } from '../../../../src/sql/analyzer/language.ts';
import type { AnyNode } from '../../../../src/sql/resolved/node.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import { readQueries } from '../../../engines/duckdb/differential/query-file.ts';
import { tables } from '../../../engines/duckdb/differential/tables.ts';
import { Random } from '../../../fuzz/random.ts';
import { effort } from '../../../support/effort.ts';
import { IsolatedAnalyzer } from './isolated-analyzer.ts';
import { fragmentsOf, mutated } from './mutations.ts';
import { oddCallQuery } from './odd-calls.ts';
import { typedQuery } from './typed-calls.ts';

const seed = Number(process.env.TEST_SEED ?? 1);
/** A process answers about 500 in a second. */
const textsPerProcess = 10_000 * effort;
const longestText = 50_000;

const catalog = { tables: tables.map(({ name, columns }) => ({ path: [name] as const, columns })) };
const int64: SqlType = { kind: 'INT64' };
const string: SqlType = { kind: 'STRING' };
const parameters = new Map<string, SqlType>([
  ...['project', 'nothing', 'interval', 'iso_timestamp_start', 'iso_timestamp_end'].map(
    (name) => [name, string] as const,
  ),
  ['number', int64],
  ['huge', int64],
  ['list', { kind: 'ARRAY', element: int64 }],
  ['document', { kind: 'JSON' }],
  ['instant', { kind: 'TIMESTAMP' }],
  [
    'record',
    {
      kind: 'STRUCT',
      fields: [
        { name: 'a', type: int64 },
        { name: 'b', type: string },
      ],
    },
  ],
]);
const queries = [...readQueries(() => true).values()];
const fragments = queries.flatMap(fragmentsOf);

/** Functions that are called by their names. */
async function functionsOf(analyzer: IsolatedAnalyzer): Promise<readonly AnyNode[]> {
  const answer = (await analyzer.call('getBuiltinFunctions', builtinFunctionOptions)) as {
    readonly function: readonly (AnyNode & { readonly name_path: readonly string[] })[];
  };
  return answer.function.filter(({ name_path }) => !name_path[0]?.startsWith('$'));
}

function nextText(functions: readonly AnyNode[], names: readonly string[], dice: Random): string {
  if (dice.isLess(0.15)) return oddCallQuery(names, dice);
  let sql = dice.isLess(0.45) ? typedQuery(functions, dice) : mutated(dice.pick(queries), fragments, dice);
  for (let more = dice.below(4); more > 0; more--) {
    if (dice.isLess(0.5)) sql = mutated(sql, fragments, dice);
  }
  return sql;
}

/** Whether an error is one of the analyzer's own checks, and users get words for it. */
function isKnown(message: string): boolean {
  return message === '' || new AnalyzerDefect(message).message !== new AnalyzerDefect('').message;
}

test.each([seed, seed + 1_000_000])(
  'no text ends the analyzer, takes it long, or fails one of its checks without a name: seed %i',
  async (own) => {
    const dice = new Random(own);
    await using analyzer = new IsolatedAnalyzer(catalog, parameters);
    const functions = await functionsOf(analyzer);
    const names = functions.map(({ name_path }) => (name_path as readonly string[]).join('.'));
    const harms: object[] = [];
    for (let i = 0; i < textsPerProcess; i++) {
      const sql = nextText(functions, names, dice);
      if (sql.length > longestText) continue;
      const { kind, message } = await analyzer.outcome(sql);
      if (kind === 'answered' || (kind === 'defect' && isKnown(message))) continue;
      harms.push({ kind, message: message.slice(0, 500), sql });
    }
    expect(harms).toEqual([]);
  },
  3_600_000 * effort,
);
