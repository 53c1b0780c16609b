import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryEngine } from '../support/memory-engine.ts';

/** Few bounds and many bounds are computed in different ways. */

let memory: MemoryEngine;
beforeAll(async () => {
  memory = await MemoryEngine.open();
});
afterAll(() => memory?.[Symbol.asyncDispose]());

async function quantiles(value: string, parts: number): Promise<unknown> {
  const sql = `SELECT APPROX_QUANTILES(${value}, ${parts}) AS q FROM UNNEST(GENERATE_ARRAY(1, 40)) AS n`;
  const { rows } = await memory.run(sql);
  return (await rows.all())[0]?.[0];
}

const every = (length: number, value: (place: number) => unknown) =>
  Array.from({ length }, (_, i) => value(i));

test.each([4, 10, 40, 80])('%i parts have exact bounds', async (parts) => {
  const at = (place: number) => Math.max(Math.ceil((place * 40) / parts), 1);
  expect(await quantiles('n', parts)).toEqual(every(parts + 1, (place) => BigInt(at(place))));
  expect(await quantiles('DISTINCT MOD(n, 20)', parts)).toEqual(
    every(parts + 1, (place) => BigInt(Math.max(Math.ceil((place * 20) / parts), 1) - 1)),
  );
});

test.each([4, 40])('NULL adds nothing to %i parts', async (parts) => {
  expect(await quantiles('IF(n > 30, 7, NULL)', parts)).toEqual(every(parts + 1, () => 7n));
  expect(await quantiles('IF(n > 40, 7, NULL)', parts)).toBeNull();
});

test.each([4, 40])('NaN is the lowest of values in %i parts', async (parts) => {
  const value = "IF(n > 10, CAST('-inf' AS FLOAT64), CAST('nan' AS FLOAT64))";
  const isOfNaN = (place: number) => Math.ceil((place * 40) / parts) <= 10;
  expect(await quantiles(value, parts)).toEqual(
    every(parts + 1, (place) => (isOfNaN(place) ? Number.NaN : Number.NEGATIVE_INFINITY)),
  );
});

test('with RESPECT NULLS, NULL is the lowest of values', async () => {
  const values = '[NULL, NULL, 1, 1, 1, 4, 5, 6, 7, 8, 9, 10]';
  const of = async (call: string, from: string) => {
    const { rows } = await memory.run(`SELECT TO_JSON_STRING(${call}) AS q FROM UNNEST(${from}) AS x`);
    return (await rows.all())[0]?.[0];
  };
  expect(await of('APPROX_QUANTILES(x, 2 RESPECT NULLS)', values)).toBe('[null,4,10]');
  expect(await of('APPROX_QUANTILES(DISTINCT x, 2 RESPECT NULLS)', values)).toBe('[null,6,10]');
  expect(await of('APPROX_QUANTILES(x + 0.5, 2 RESPECT NULLS)', '[NULL, 1, 2]')).toBe('[null,1.5,2.5]');
  expect(await of('APPROX_QUANTILES(x, 1 RESPECT NULLS)', 'CAST([NULL, NULL] AS ARRAY<INT64>)')).toBe(
    '[null,null]',
  );
  expect(await of('APPROX_QUANTILES(x, 2 RESPECT NULLS)', 'CAST([] AS ARRAY<INT64>)')).toBe('null');
  expect(await of('APPROX_QUANTILES(x, 4 RESPECT NULLS)[OFFSET(3)]', values)).toBe('7');
  const notNumber = `[CAST('nan' AS FLOAT64)]`;
  await expect(of('APPROX_QUANTILES(x, 2 RESPECT NULLS)', notNumber)).rejects.toThrow('NaN');
});
