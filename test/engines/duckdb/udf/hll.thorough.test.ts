import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint2011 } from '../../../../src/engines/duckdb/udf/hll/fingerprint-2011.ts';
import { Differential } from '../differential/differential.ts';

/** The reference evaluator has none of these functions. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const rowOf = async (sql: string) => (await differential.actual(sql))[0];

/** The rows of an example in BigQuery's documentation. */
const invoices = `unnest(array<struct<country string, customer string>>[('UA', 'customer_id_1'), ('BR', 'customer_id_3'), ('CZ', 'customer_id_2'),
  ('CZ', 'customer_id_2'), ('BR', 'customer_id_3'), ('UA', 'customer_id_2')])`;
const byCountry = (precision = '') =>
  `(select country, hll_count.init(customer${precision}) as sketch from ${invoices} group by country)`;

describe('the hash function', () => {
  test.each([
    [1, 8473225671271759044n],
    [8, 7345148637025587076n],
    [64, 4904844928629814570n],
  ])('has the published values: "test" %i times', (count, hash) =>
    expect(fingerprint2011(Buffer.from('test'.repeat(count)))).toBe(hash),
  );
});

describe('a sketch', () => {
  test("has the bytes of the documentation's example", async () => {
    const rows = await differential.actual(
      `select country, to_hex(sketch) from ${byCountry(', 10')} order by 1`,
    );
    expect(rows).toEqual([
      ['BR', '087010021802200b82070b1001180a200f320382e101'],
      ['CZ', '087010021802200b82070b1001180a200f3203f9e401'],
      ['UA', '087010021802200b82070d1002180a200f3205f9e401cd08'],
    ]);
    expect(await rowOf(`select to_hex(hll_count.merge_partial(sketch)) from ${byCountry()}`)).toEqual([
      '087010061802200b8207101003180f20143208d0a038ea7da49302',
    ]);
  });

  test('counts few values exactly, without NULLs and repetitions', async () => {
    const sql = `select hll_count.extract(hll_count.init(x)), hll_count.extract(hll_count.init(cast(x as string), 10)),
      hll_count.extract(hll_count.init(cast(cast(x as string) as bytes), 24)),
      hll_count.extract(hll_count.init(cast(x as numeric))), hll_count.extract(hll_count.init(cast(x as bignumeric)))
      from (select * from unnest(generate_array(1, 90)) x union all select * from unnest([1, 2, null]) x)`;
    expect(await rowOf(sql)).toEqual([90n, 90n, 90n, 90n, 90n]);
  });

  test.each([10, 12, 15, 18, 24])('of precision %i is as exact as documented', async (precision) => {
    const sql = `select hll_count.extract(hll_count.init(x, ${precision})) from unnest(generate_array(1, 30000)) x`;
    const [found] = (await rowOf(sql)) ?? [];
    // Three times the standard error.
    const bound = (3 * 1.04) / Math.sqrt(2 ** precision);
    expect(Math.abs(Number(found) / 30_000 - 1)).toBeLessThan(bound);
  });

  test('of all values is the merged sketch of their parts', async () => {
    const parts = (count: number, precision: string) =>
      `select hll_count.init(x, ${precision}) s from unnest(generate_array(1, ${count})) x group by mod(x, 5)
        union all select hll_count.init(x, ${precision}) from unnest(generate_array(1, ${count}, 3)) x`;
    for (const [count, precision] of [
      [900, '15'],
      [30_000, '10'],
      [40_000, '15'],
    ] as const) {
      const [merged, partial, whole, bytes, wholeBytes] =
        (await rowOf(`with whole as (select hll_count.init(x, ${precision}) s from unnest(generate_array(1, ${count})) x)
          select hll_count.merge(s), hll_count.extract(hll_count.merge_partial(s)),
            (select hll_count.extract(s) from whole), substr(hll_count.merge_partial(s), -300),
            (select substr(s, -300) from whole) from (${parts(count, precision)})`)) ?? [];
      expect([merged, partial, bytes]).toEqual([whole, whole, wholeBytes]);
    }
  });

  test.each([
    [2000, 2000],
    [40_000, 40_000],
    [500, 40_000],
  ])('has the lowest precision of merged ones, with %i and %i values', async (few, many) => {
    const sql = `select substr(hll_count.merge_partial(s), -200) = substr(any_value(w), -200), hll_count.merge(s) from
      (select hll_count.init(x, 12) s from unnest(generate_array(1, ${few})) x
        union all select hll_count.init(x, 16) from unnest(generate_array(1, ${many})) x),
      (select hll_count.init(x, 12) w from unnest(generate_array(1, ${Math.max(few, many)})) x)`;
    const [isSame, found] = (await rowOf(sql)) ?? [];
    expect(isSame).toBe(true);
    expect(Math.abs(Number(found) / Math.max(few, many) - 1)).toBeLessThan(0.05);
  });

  test('is NULL of no value, which counts as zero', async () => {
    const sql = `select hll_count.init(x), hll_count.merge(s), hll_count.merge_partial(s), hll_count.extract(null)
      from (select cast(null as int64) x, cast(null as bytes) s)`;
    expect(await rowOf(sql)).toEqual([null, 0n, null, 0n]);
    expect(await rowOf(`${sql} where false`)).toEqual([null, 0n, null, 0n]);
  });

  test('can be made over a window', async () => {
    const sql = `select hll_count.extract(hll_count.init(x) over (order by i)) from unnest([7, 7, 8]) x with offset i`;
    expect(await differential.actual(`${sql} order by i`)).toEqual([[1n], [1n], [2n]]);
  });
});

describe('what is no sketch, or of another type, is an error', () => {
  const valid = '087010021802200b82070d1002180a200f3205f9e401cd08';
  test.each([
    ['no bytes', ''],
    ['other bytes', '616263'],
    ['another aggregator', valid.replace('0870', '0871')],
    ['another version', valid.replace('1802', '1801')],
    ['an incomplete one', valid.slice(0, -2)],
    ['too high a precision', valid.replace('180a200f', '181c201c')],
    ['an index beyond the precision', valid.replace('05f9e401cd08', '05f9e401ffff')],
    ['registers of another length', '087010021802200b820707180a200f2a0101'],
  ])('%s', async (_, hex) => {
    await expect(rowOf(`select hll_count.extract(from_hex('${hex}'))`)).rejects.toThrow(
      'Invalid sketch in HLL_COUNT.EXTRACT',
    );
    await expect(rowOf(`select hll_count.merge(from_hex('${hex}')) from (select 1)`)).rejects.toThrow(
      'Invalid or incompatible sketch in HLL_COUNT.MERGE',
    );
    expect(
      await rowOf(
        `select safe.hll_count.extract(from_hex('${hex}')), safe.hll_count.merge(from_hex('${hex}')) is null from (select 1)`,
      ),
    ).toEqual([null, false]);
  });

  test('a sketch of another type', async () => {
    const sql = `select hll_count.merge(s) from (select hll_count.init(1) s from (select 1)
      union all select hll_count.init('a') from (select 1))`;
    await expect(rowOf(sql)).rejects.toThrow('Invalid or incompatible sketch');
  });

  test('a precision outside its range', async () => {
    await expect(rowOf('select hll_count.init(x, 9) from unnest([1]) x')).rejects.toThrow(
      /Argument 2|precision 9/,
    );
    await expect(rowOf('select hll_count.init(x, 25) from unnest([1]) x')).rejects.toThrow(
      /Argument 2|precision 25/,
    );
  });
});
