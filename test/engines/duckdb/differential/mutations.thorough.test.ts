import { afterAll, beforeAll, expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { Differential } from './differential.ts';
import { knownDifferences } from './known-differences.ts';
import { compareMutant, isFault } from './mutations/compare-mutant.ts';
import { isKnown } from './mutations/known-faults.ts';
import { type Mutant, mutantsOf } from './mutations/mutants.ts';
import { readQueries } from './query-file.ts';
import { parameters } from './query-parameters.ts';
import { SeededRandom } from './seeded-random.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

/** `TEST_EFFORT=60` takes all of them, in some hours. Another seed takes others. */
const most = 1_500 * effort;
const seed = Number(process.env.TEST_SEED ?? 20261130);

/** The mutants of the queries of the data files, in the order of the seed: first one of each query, then the second ones. */
async function* chosenMutants(): AsyncGenerator<Mutant> {
  const dice = new SeededRandom(seed);
  const queries = dice.shuffled(
    [...readQueries(() => true).values()].filter((sql) => !knownDifferences.has(sql)),
  );
  const rest = new Map<string, Mutant[]>();
  let found = true;
  while (found) {
    found = false;
    for (const sql of queries) {
      const mutants = rest.get(sql) ?? dice.shuffled(await mutantsIn(sql));
      const mutant = mutants.pop();
      rest.set(sql, mutants);
      if (mutant === undefined) continue;
      found = true;
      yield mutant;
    }
  }
}

/** Those of a query in syntax that the analyzer can't parse are those of its rewritten form. */
async function mutantsIn(sql: string): Promise<readonly Mutant[]> {
  const text = await differential.text(sql, parameters).catch(() => undefined);
  if (text === undefined) return [];
  const statement = await differential.analyzer.parse(text.query).catch(() => undefined);
  return statement === undefined ? [] : mutantsOf(text.query, statement, text.definitions);
}

test(
  'queries with something else in place of a literal have the results of the reference evaluator',
  async () => {
    const faults: object[] = [];
    let compared = 0;
    let tried = 0;
    for await (const mutant of chosenMutants()) {
      if (tried++ === most) break;
      const outcome = await compareMutant(differential, mutant, parameters);
      if (outcome.kind === 'equal') compared++;
      if (isFault(outcome) && !isKnown(outcome)) faults.push({ ...outcome, parameter: mutant.parameter });
    }
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(Math.min(tried, most) / 2);
  },
  600_000 * effort,
);
