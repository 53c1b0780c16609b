import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { readFunctions } from '../../../src/sql/analyzer/stored-functions.ts';
import { resolvedQuery } from '../../../src/sql/plan/resolved-query.ts';
import { meaningOf } from '../../../src/sql/resolved/meaning.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

const columns = ['id', 'path'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
const tables = ['edge', 'auth'].map((name) => ({ path: ['logs', name] as const, columns }));
const parameters = new Map<string, SqlType>(['a', 'b'].map((name) => [name, { kind: 'STRING' }]));

async function meaning(sql: string, known = tables): Promise<string> {
  const { functions, end: functionsEnd } = await readFunctions(sql, [], analyzer);
  const catalog = { tables: known, functions };
  const statement = await analyzer.analyze(sql, { catalog, parameters, functionsEnd });
  return meaningOf(resolvedQuery(statement, { sql, functionsEnd }));
}

const query =
  'with e as (select id, path from logs.edge where path = @a) select id, count(*) as n from e group by id';

describe('the meaning of a query', () => {
  test.each([
    [
      'layout and comments',
      'WITH e AS (SELECT id, path FROM logs.edge -- all\n WHERE path = @a)\nSELECT id, COUNT(*) AS n FROM e GROUP BY id',
    ],
    ['names of entries and tables', query.replaceAll(/\be\b/g, 'rows_of_edge')],
    [
      'aliases of tables',
      'with e as (select x.id, x.path from logs.edge as x where x.path = @a) select y.id, count(*) as n from e as y group by y.id',
    ],
    [
      'names of columns within it',
      'with e as (select id as z, path as q from logs.edge where path = @a) select z as id, count(*) as n from e group by z',
    ],
  ])('is independent of %s', async (_what, same) => {
    expect(await meaning(same)).toBe(await meaning(query));
  });

  test('is independent of other tables', async () => {
    expect(await meaning(query, [...tables].reverse())).toBe(await meaning(query));
    expect(await meaning(query, tables.slice(0, 1))).toBe(await meaning(query));
  });

  test.each([
    ['a table', query.replace('edge', 'auth')],
    ['a parameter', query.replace('@a', '@b')],
    ['a value', query.replace('@a', "'a'")],
    ['the name of a column of the result', query.replace('as n', 'as m')],
    ['a column', query.replace('path =', 'id =')],
    ['an operator', query.replace('path =', 'path !=')],
    ['an order', `${query} order by id`],
    [
      'the use of an entry',
      'with e as (select id from logs.edge), f as (select id from logs.auth) select id from e',
    ],
  ])('depends on %s', async (_what, other) => {
    expect(await meaning(other)).not.toBe(await meaning(query));
  });

  test.each([
    ['with arguments of a type', '(x INT64) AS (x + 1)'],
    ['with arguments of any type', '(x ANY TYPE) AS (x + 1)'],
    ['in JavaScript', '(x INT64) RETURNS STRING LANGUAGE js AS "return x + 1"'],
  ])('depends on the body of a function %s that it calls', async (_what, definition) => {
    const called = (rest: string) => `create temp function f${rest}; select f(1) as x`;
    expect(await meaning(called(definition))).not.toBe(
      await meaning(called(definition.replace('+ 1', '+ 2'))),
    );
    expect(await meaning(called(definition))).toBe(await meaning(called(` -- f\n ${definition}`)));
    const outer = 'create temp function g(x ANY TYPE) as (f(x)); select g(1) as x';
    const through = (rest: string) => `create temp function f${rest}; ${outer}`;
    expect(await meaning(through(definition))).not.toBe(
      await meaning(through(definition.replace('+ 1', '+ 2'))),
    );
    const uncalled = (rest: string) => `create temp function f${rest}; select 1 as x`;
    expect(await meaning(uncalled(definition))).toBe(await meaning('select 1 as x'));
  });

  test('depends on the columns of a source by their names', async () => {
    const other = tables.map((table) => ({ ...table, columns: table.columns.toReversed() }));
    expect(await meaning('select path as x from logs.edge', other)).not.toBe(
      await meaning('select id as x from logs.edge'),
    );
  });

  test('tells two columns and two entries from each other', async () => {
    const entries = 'with e as (select id from logs.edge), f as (select id from logs.auth)';
    expect(await meaning(`${entries} select id from e`)).not.toBe(
      await meaning(`${entries} select id from f`),
    );
    expect(await meaning('select id as x from logs.edge')).not.toBe(
      await meaning('select path as x from logs.edge'),
    );
  });

  test.each([
    ['0.0', '-0.0'],
    ["cast('nan' as float64)", "cast('inf' as float64)"],
  ])('tells %s from %s', async (left, right) => {
    expect(await meaning(`select ${left} as x`)).not.toBe(await meaning(`select ${right} as x`));
  });
});
