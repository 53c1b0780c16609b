import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declaredFunctions } from '../../../../src/sql/analyzer/declared-functions.ts';
import { Differential } from '../differential/differential.ts';

/** The reference evaluator knows none of these functions, so what BigQuery's documentation says stands here. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const resultOf = async (expression: string, from = '') =>
  (await differential.actual(`select ${expression} ${from}`))[0]?.[0];

const documented: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  CONTAINS_SUBSTR: [
    ["contains_substr('the blue house', 'Blue house')", true],
    ["contains_substr('the red house', 'blue')", false],
    ["contains_substr('\\u2168', 'IX')", true],
    ["contains_substr('ÜBER', 'über')", true],
    ["contains_substr('straße', 'STRASSE')", true],
    ["contains_substr(cast(null as string), 'x')", null],
    ["contains_substr((23, 35, 41), '35')", true],
    ["contains_substr(('abc', ['def', 'ghi', 'jkl'], 'mno'), 'jk')", true],
    ["contains_substr((23, null, 41), '41')", true],
    ["contains_substr((23, null, 41), '35')", null],
    ["contains_substr(cast([] as array<string>), 'x')", false],
    ["contains_substr(1.5, '1.5')", true],
    ["contains_substr(date '2026-11-20', '2026-11')", true],
    ['contains_substr(json \'{"lunch":"soup"}\', \'lunch\')', false],
    ["contains_substr(json '{\"lunch\":\"soup\"}', 'lunch', json_scope => 'JSON_KEYS')", true],
    ["contains_substr(json '{\"lunch\":[{\"a\":12}]}', '12', json_scope => 'JSON_KEYS_AND_VALUES')", true],
  ],
  JSON_FLATTEN: [
    ["json_flatten(json '1')", ['1']],
    ["json_flatten(json '[1, 2, null]')", ['1', '2', 'null']],
    ['json_flatten(json \'[[[1, 2], 3], {"a": [4]}, [], true]\')', ['1', '2', '3', '{"a":[4]}', 'true']],
    ["json_flatten(json '[]')", []],
    ['json_flatten(cast(null as json))', null],
  ],
  EDIT_DISTANCE: [
    ["edit_distance('a', 'b')", 1n],
    ["edit_distance('aa', 'b')", 2n],
    ["edit_distance('aa', 'ba')", 1n],
    ["edit_distance('abcdefg', 'a', max_distance => 2)", 2n],
    ["edit_distance('日本', '日木x')", 2n],
    ["edit_distance('😀', '')", 1n],
    ["edit_distance(b'abc', b'\\xffbc')", 1n],
    ["edit_distance('a', cast(null as string))", null],
    ["edit_distance('a', 'b', max_distance => null)", null],
  ],
  JSON_KEYS: [
    ['json_keys(json \'{"a":{"b":1}}\')', ['a', 'a.b']],
    ['json_keys(json \'{"a":{"b":1}}\', 1)', ['a']],
    ['json_keys(json \'{"a":[{"b":1},{"c":2}],"d":1}\')', ['a', 'd']],
    ['json_keys(json \'{"a":[{"b":1},[{"c":2}]]}\', mode => \'lax\')', ['a', 'a.b']],
    ['json_keys(json \'{"a":[{"b":1},[{"c":2}]]}\', mode => \'lax recursive\')', ['a', 'a.b', 'a.c']],
    ['json_keys(json \'{"a.b":{"c":1}}\')', ['"a.b"', '"a.b".c']],
    ['json_keys(cast(null as json))', null],
    ['json_keys(json \'{"a":1}\', null)', null],
  ],
  COSINE_DISTANCE: [
    ['round(cosine_distance([1.0, 2.0], [3.0, 4.0]), 6)', 0.01613],
    ['round(cosine_distance([(1, 1.0), (2, 2.0)], [(2, 4.0), (1, 3.0)]), 6)', 0.01613],
    ["round(cosine_distance([('a', 1), ('b', 2)], [('b', 4), ('a', 3), ('c', 0)]), 6)", 0.01613],
    ['cosine_distance([(1, 1.0)], [(2, 1.0)])', 1],
    ['cosine_distance(cast(null as array<struct<int64, float64>>), [(1, 1.0)])', null],
    ["is_nan(cosine_distance([cast('nan' as float64)], [1.0]))", true],
  ],
  EUCLIDEAN_DISTANCE: [
    ['round(euclidean_distance([(1, 1.0), (2, 2.0)], [(2, 4.0), (1, 3.0)]), 3)', 2.828],
    ["euclidean_distance([('a', 3.0)], [('b', 4.0)])", 5],
    ['euclidean_distance([(1, 1.5)], cast([] as array<struct<int64, float64>>))', 1.5],
    ['safe.euclidean_distance([(1, 1.0), (1, 2.0)], [(1, 2.5)])', null],
    ["is_inf(euclidean_distance([cast('inf' as float64)], [1.0]))", true],
    ['round(euclidean_distance([1.0, 2.0], [3.0, 4.0]), 3)', 2.828],
    ['euclidean_distance([0.0], cast(null as array<float64>))', null],
  ],
};

describe('functions that are declared to the analyzer', () => {
  test.each(Object.values(documented).flat())('%s', async (expression, expected) => {
    expect(await resultOf(expression)).toEqual(expected);
  });

  test.each([
    ["edit_distance('a', 'b', max_distance => -1)", 'max_distance must be non-negative'],
    ['cosine_distance([0.0], [3.0])', 'zero vector'],
    ['euclidean_distance([1.0, 2.0], [3.0])', 'length mismatch'],
    ['cosine_distance([1e-200], [3.0])', 'zero vector'],
    ['cosine_distance([(1, 0.0)], [(1, 3.0)])', 'zero vector'],
    ['euclidean_distance([(1, 1.0), (1, 2.0)], [(1, 3.0)])', 'Duplicate index 1'],
    ['euclidean_distance([(1, 1.0), (2, null)], [(1, 3.0)])', 'NULL value'],
    ['euclidean_distance([1e200], [0.0])', 'double overflow'],
    ['euclidean_distance([(1, 1e200)], [(1, 0.0)])', 'double overflow'],
    ["json_keys(json '{}', 0)", 'max_depth must be positive'],
    ['contains_substr(s, t) from nums', 'computed search value'],
    ["contains_substr('a', '')", 'empty search value'],
  ])('%s fails', async (expression, message) => {
    await expect(resultOf(expression)).rejects.toThrow(message);
  });

  test('MAX_BY and MIN_BY give the value at the greatest and the least of another', async () => {
    const rows = "from unnest([struct('a' as v, 1 as k), ('b', 3), ('c', 2), ('d', null)])";
    expect(await resultOf('(max_by(v, k), min_by(v, k))', rows)).toEqual(['b', 'a']);
    expect(await resultOf('max_by(v, k)', `${rows} where k is null`)).toBeNull();
  });

  test('MAX_BY, MIN_BY and ANY_VALUE with HAVING take no NULL', async () => {
    const rows =
      'from unnest([struct(cast(null as string) as v, 2.5 as k), ("p", 2.5), ("q", 1), (null, 0)])';
    const values = '(max_by(v, k), min_by(v, k), any_value(v having max k), any_value(v having min k))';
    expect(await resultOf(values, rows)).toEqual(['p', 'q', 'p', 'q']);
    expect(await resultOf(values, `${rows} where v is null`)).toEqual([null, null, null, null]);
    const notNumbers = 'from unnest([struct("a" as v, cast("nan" as float64) as k), ("b", 1)])';
    expect(await resultOf(values, notNumbers)).toEqual([null, null, null, null]);
    expect(await resultOf(values, notNumbers.replace('"a"', 'cast(null as string)'))).toEqual(
      Array(4).fill('b'),
    );
  });

  test.each([
    ["'$.b', 2, create_if_missing => FALSE", '{"a":1}'],
    ["'$.b', 2, create_if_missing => TRUE", '{"a":1,"b":2}'],
    ["'$.a', 'x', '$.c', 3, create_if_missing => FALSE", '{"a":"x"}'],
    ["'$.b', 2 /* create_if_missing */, '$.c', 3", '{"a":1,"b":2,"c":3}'],
    ["'$.a', 2, create_if_missing => NULL", '{"a":1}'],
    ["NULL, 2, '$.a', 5, create_if_missing => FALSE", '{"a":5}'],
  ])('JSON_SET has create_if_missing: %s', async (args, changed) => {
    expect(await resultOf(`json_set(json '{"a":1}', ${args})`)).toBe(changed);
  });

  test('JSON_SET takes no computed path', async () => {
    const call = "json_set(json '{}', p, 2, create_if_missing => FALSE)";
    await expect(resultOf(call, "from unnest(['$.a']) p")).rejects.toThrow('a computed path in JSON_SET');
  });

  test('are all tested here', () => {
    const names = declaredFunctions.map(({ name }) => name);
    expect(names.filter((name) => !(name in documented))).toEqual(['MAX_BY', 'MIN_BY']);
  });
});

describe('approximate aggregates, which are exact here', () => {
  const fruit = `from unnest([struct('apple' as x, 3 as w), ('pear', 2), ('apple', 0), ('banana', 5), ('pear', 4), (null, null)])`;

  test.each<[string, string, unknown]>([
    [
      'approx_top_count(x, 2)',
      "from unnest(['apple', 'apple', 'pear', 'pear', 'pear', 'banana']) x",
      [
        ['pear', 3n],
        ['apple', 2n],
      ],
    ],
    [
      'approx_top_count(x, 9)',
      'from unnest([null, "pear", null]) x',
      [
        [null, 2n],
        ['pear', 1n],
      ],
    ],
    ['approx_top_count(x, 2)', 'from unnest(cast([] as array<int64>)) x', null],
    [
      'approx_top_sum(x, w, 2)',
      fruit,
      [
        ['pear', 6n],
        ['banana', 5n],
      ],
    ],
    [
      'approx_top_sum(x, w, 9)',
      fruit,
      [
        ['pear', 6n],
        ['banana', 5n],
        ['apple', 3n],
        [null, null],
      ],
    ],
    ['approx_quantiles(x, 2)', 'from unnest([1, 1, 1, 4, 5, 6, 7, 8, 9, 10]) x', [1n, 5n, 10n]],
    ['approx_quantiles(x, 2)', "from unnest([cast('nan' as float64), 1, 2]) x", [Number.NaN, 1, 2]],
    ['approx_quantiles(x, 2)', 'from unnest([cast(null as int64)]) x', null],
    ['approx_count_distinct(x)', 'from unnest([0, 1, 1, 2, 3, 5, null]) x', 5n],
  ])('%s %s', async (expression, rows, expected) => {
    expect(await resultOf(expression, rows)).toEqual(expected);
  });
});
