import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeJson } from '../../../../../src/engines/duckdb/udf/json/json-value.ts';
import { laxPath, laxQuery } from '../../../../../src/engines/duckdb/udf/json/lax-query.ts';
import { parseJson } from '../../../../../src/engines/duckdb/udf/json/parser.ts';
import { Differential } from '../../differential/differential.ts';

/** The reference evaluator of this version doesn't know the modifiers. */
function query(json: string, path: string): string | undefined {
  const lax = laxPath(path, 'JSON_QUERY');
  return lax && writeJson(laxQuery(parseJson(json, 'round'), lax));
}

describe('a lax path', () => {
  test.each([
    ['{"a":1}', '$.a', '[1]'],
    ['{"a":1}', '$', '[{"a":1}]'],
    ['{"a":1}', '$.b', '[]'],
    ['{"a":1}', '$.a.b', '[]'],
    ['{"a":null}', '$.a', '[null]'],
    ['null', '$[0]', '[null]'],
    ['null', '$[1]', '[]'],
    ['{"a":1}', '$[0][0].a', '[1]'],
    ['[[null], 1]', '$[2]', '[]'],
    ['[{"a":1},{"b":2},{"a":[3]}]', '$.a', '[1,[3]]'],
    ['[{"a":{"b":1}},{"a":[{"b":2},{"b":3}]}]', '$.a.b', '[1,2,3]'],
    ['{"a b":1}', '$."a b"', '[1]'],
  ])('matches in %s with %s: %s', (json, path, found) => {
    expect(query(json, `lax ${path}`)).toBe(found);
    expect(query(json, `Recursive  LAX ${path}`)).toBe(found);
  });

  test.each([
    ['[[{"a":1}]]', '$.a', '[]', '[1]'],
    ['{"a":[1,{"b":2},[{"b":3},null,[{"b":[5]}]]]}', '$.a.b', '[2]', '[2,3,[5]]'],
    ['[{"a":[{"b":2},[{"b":3}]]},[{"a":{"b":5}}]]', '$.a[0].b', '[2]', '[2,5]'],
  ])('only looks into nested arrays if recursive: %s with %s', (json, path, once, deeply) => {
    expect(query(json, `lax ${path}`)).toBe(once);
    expect(query(json, `lax recursive ${path}`)).toBe(deeply);
  });

  test('is found in deeply nested arrays', () => {
    const depth = 400;
    expect(query(`${'['.repeat(depth)}{"a":1}${']'.repeat(depth)}`, 'lax recursive $.a')).toBe('[1]');
  });

  test.each([
    'lax lax $.a',
    'recursive $.a',
    'lax recursive lax $',
    'foo $',
    'lax $.',
    'lax $..a',
    'lax $[*]',
  ])('is refused if it is invalid: %s', (path) =>
    expect(() => laxPath(path, 'JSON_QUERY')).toThrow('JSONPath'),
  );

  test.each(['$.a', '$', '$.lax'])('has modifiers: %s is none', (path) =>
    expect(laxPath(path, 'JSON_QUERY')).toBeUndefined(),
  );
});

describe('in SQL', () => {
  let differential: Differential;
  beforeAll(async () => {
    differential = await Differential.start();
  });
  afterAll(() => differential[Symbol.asyncDispose]());

  test('JSON_QUERY accepts a lax path', async () => {
    const sql = `select json_query(j, 'lax $.a'), json_query(j, @path), safe.json_query(j, 'lax lax $.a')
      from (select json '[{"a":1},[{"a":2}]]' j)`;
    const parameters = new Map([['path', { type: { kind: 'STRING' }, value: 'lax recursive $.a' } as const]]);
    expect(await differential.folded(sql, parameters)).toEqual([['[1]', '[1,2]', null]]);
    expect(await differential.actual(sql, parameters)).toEqual([['[1]', '[1,2]', null]]);
  });

  test('texts and other functions have strict paths only', async () => {
    for (const call of [
      `json_query('{"a":1}', 'lax $.a')`,
      `json_value(json '{"a":1}', 'lax $.a')`,
      `json_query_array(json '{"a":1}', 'lax $.a')`,
    ])
      await expect(differential.actual(`select ${call}`)).rejects.toThrow("must start with '$'");
  });
});
