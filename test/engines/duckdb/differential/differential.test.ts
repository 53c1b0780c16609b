import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aggregateFunctions } from '../../../../src/engines/duckdb/functions/aggregates/aggregates.ts';
import { windowFunctions } from '../../../../src/engines/duckdb/functions/aggregates/windows.ts';
import { scalarFunctions } from '../../../../src/engines/duckdb/functions/scalar-functions.ts';
import { comparable, Differential } from './differential.ts';
import { knownDifferences, notEvaluable } from './known-differences.ts';
import { readMeanings, readQueries } from './query-file.ts';
import { parameters } from './query-parameters.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const meanings = readMeanings();
const isError = (file: string) => file === 'errors.sql';

describe('emitted SQL gives the rows that the reference evaluator gives', () => {
  for (const [name, sql] of readQueries((file) => !isError(file))) {
    test(name, async () => {
      const rows = await differential.folded(sql, parameters);
      const meaning = meanings.get(sql) ?? sql;
      if (notEvaluable.test(meaning)) return;
      const ordered = /order by[^()]*$/i.test(sql);
      const actual = comparable(rows, ordered);
      const expected = comparable(await differential.expected(meaning, parameters), ordered);
      if (knownDifferences.has(sql)) expect(actual).not.toEqual(expected);
      else expect(actual).toEqual(expected);
    });
  }
});

describe('rejects what the reference evaluator rejects', () => {
  for (const [name, sql] of readQueries(isError)) {
    test(name, async () => {
      await expect(differential.expected(sql, parameters)).rejects.toThrow();
      await expect(differential.actual(sql, parameters)).rejects.toThrow();
    });
  }
});

test('every function that can be had is in one of the queries', async () => {
  const used = new Set<string>();
  for (const sql of readQueries((file) => !isError(file)).values()) {
    for (const name of await differential.functions(sql, parameters)) used.add(name);
  }
  const offered = { ...scalarFunctions, ...aggregateFunctions, ...windowFunctions };
  expect(Object.keys(offered).filter((name) => !used.has(name))).toEqual([]);
});

test('every known difference is the query of a data file', () => {
  const queries = new Set(readQueries(() => true).values());
  expect([...knownDifferences.keys()].filter((sql) => !queries.has(sql))).toEqual([]);
});
