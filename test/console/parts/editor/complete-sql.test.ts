import { describe, expect, test } from 'vitest';
import { completeSql } from '../../../../src/console/parts/editor/complete/complete-sql.ts';
import { tablesOf } from '../../../../src/console/parts/schema/field.ts';

const tables = tablesOf([
  {
    name: 'edge_logs',
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      {
        name: 'metadata',
        type: 'ARRAY<STRUCT<request ARRAY<STRUCT<method STRING, path STRING, cf STRUCT<city STRING>>>, level STRING>>',
      },
    ],
  },
  { name: 'auth_logs', columns: [{ name: 'auth_event', type: 'STRUCT<action STRING, `from` INT64>' }] },
  { name: 'order', columns: [{ name: '__proto__', type: 'INT64' }] },
]);
const names = { tables, functions: ['COUNT', 'COUNTIF', 'TIMESTAMP_TRUNC'], parameters: ['project'] };

/** The options at the sign ‸ of a query. */
function optionsAt(query: string, isAsked = false) {
  const position = query.indexOf('‸');
  const completions = completeSql(query.replace('‸', ''), position, names, isAsked);
  return completions?.options ?? [];
}
const labelsAt = (query: string, isAsked = false) => optionsAt(query, isAsked).map(({ label }) => label);

describe('tables', () => {
  test('are offered after FROM, JOIN and a comma of FROM', () => {
    for (const query of [
      'select * from ‸',
      'select * from e‸',
      'select * from auth_logs join ‸',
      'select 1 from auth_logs, ‸',
    ]) {
      expect(labelsAt(query), query).toEqual(expect.arrayContaining(['edge_logs', 'auth_logs']));
    }
    expect(labelsAt('select id, ‸ from edge_logs', true)).not.toContain('auth_logs');
  });

  test('have quotes where they need them, and replace the quotes that are there', () => {
    expect(optionsAt('select * from o‸').find(({ label }) => label === 'order')?.insert).toBe('`order`');
    expect(completeSql('select * from `or', 17, names, false)?.from).toBe(14);
  });

  test('of WITH are offered with their columns', () => {
    const entry = 'with hits as (select id as key, t.timestamp, count(*) n from edge_logs as t group by 1)';
    expect(labelsAt(`${entry} select * from ‸`)).toContain('hits');
    expect(labelsAt(`${entry} select h.‸ from hits as h`)).toEqual(['key', 'timestamp', 'n']);
    expect(optionsAt(`${entry} select h.t‸ from hits as h`)[1]?.detail).toBe('TIMESTAMP');
    expect(labelsAt('with a as (select * from edge_logs), b as (select * from a) select b.‸ from b')).toEqual(
      ['id', 'timestamp', 'metadata'],
    );
  });
});

describe('columns', () => {
  test('are those of the tables of FROM, also where it comes later', () => {
    const labels = labelsAt('select ti‸ from edge_logs');
    expect(labels).toContain('timestamp');
    expect(labels).not.toContain('auth_event');
  });

  test('are those of all tables before there is a FROM', () => {
    expect(labelsAt('select i‸')).toEqual(expect.arrayContaining(['id', 'auth_event']));
  });

  test('follow an alias, a table and a quoted name', () => {
    const columns = ['id', 'timestamp', 'metadata'];
    expect(labelsAt('select t.‸ from edge_logs t')).toEqual(columns);
    expect(labelsAt('select T.i‸ from edge_logs as t')).toEqual(columns);
    expect(labelsAt('select edge_logs.‸ from edge_logs')).toEqual(columns);
    expect(labelsAt('select `a b`.‸ from edge_logs as `a b`')).toEqual(columns);
    expect(labelsAt('select t.‸\nfrom edge_logs as t where id = 1')).toEqual(columns);
  });

  test('of a record are its fields, quoted where they must be', () => {
    const options = optionsAt('select a.auth_event.‸ from auth_logs a');
    expect(options.map(({ label, insert }) => [label, insert])).toEqual([
      ['action', 'action'],
      ['from', '`from`'],
    ]);
    expect(labelsAt('select auth_event.‸ from auth_logs')).toEqual(['action', 'from']);
  });

  test('of an array are reached by UNNEST only', () => {
    expect(labelsAt('select t.metadata.‸ from edge_logs t')).toEqual([]);
    const joins = 'from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r';
    expect(labelsAt(`select m.‸ ${joins}`)).toEqual(['request', 'level']);
    expect(labelsAt(`select r.‸ ${joins}`)).toEqual(['method', 'path', 'cf']);
    expect(labelsAt(`select r.cf.‸ ${joins}`)).toEqual(['city']);
    expect(labelsAt('select m.‸ from edge_logs t, t.metadata m')).toEqual(['request', 'level']);
    expect(labelsAt('select m.‸ from edge_logs, unnest(metadata) m with offset as o')).toEqual([
      'request',
      'level',
    ]);
  });

  test('of a join can be unnested at once', () => {
    const [first] = labelsAt('select 1 from edge_logs as t cross join ‸');
    expect(first).toBe('unnest(t.metadata) as metadata');
    expect(labelsAt('select 1 from edge_logs t join unnest(t.metadata) as metadata join ‸')).toContain(
      'unnest(metadata.request) as request',
    );
  });

  test('of a subquery are its output, and inside it those of the outer query are known', () => {
    expect(labelsAt('select s.‸ from (select id, 1 as one from edge_logs) as s')).toEqual(['id', 'one']);
    expect(labelsAt('select (select ‸ from unnest(t.metadata) as m) from edge_logs as t', true)).toEqual(
      expect.arrayContaining(['request', 'level', 'm', 't']),
    );
  });

  test('of one part of a UNION are not those of the other', () => {
    const query = 'select a.‸ from auth_logs a union all select t.id from edge_logs t';
    expect(labelsAt(query)).toEqual(['auth_event']);
    expect(labelsAt('select id from edge_logs t union all select a.‸ from auth_logs a')).toEqual([
      'auth_event',
    ]);
  });
});

describe('other names', () => {
  test('functions and words have the letter case of what was begun', () => {
    expect(labelsAt('select cou‸')).toContain('countif');
    expect(labelsAt('SELECT COU‸')).toContain('COUNTIF');
    expect(labelsAt('sel‸')).toContain('select');
  });

  test('parameters follow @', () => {
    expect(labelsAt('select @‸')).toEqual(['@project']);
    expect(labelsAt('select @pr‸')).toEqual(['@project']);
  });

  test('nothing is offered in comments, texts, numbers and new names', () => {
    for (const query of [
      "select 'fro‸",
      "select 'a' -- fro‸",
      'select 1 # e‸',
      'select /* e‸',
      'select """ "e‸',
      'select 12‸',
      'select id as ti‸',
    ]) {
      expect(labelsAt(query, true), query).toEqual([]);
    }
    expect(labelsAt("select 'it''s', -- from\n i‸ from edge_logs")).toContain('id');
  });

  test('without a word, options appear only when they are asked for', () => {
    expect(labelsAt('select ‸ from edge_logs')).toEqual([]);
    expect(labelsAt('select ‸ from edge_logs', true)).toContain('id');
  });
});

test('whatever is typed, completion ends soon', () => {
  const parts = [
    '(',
    ')',
    ',',
    '.',
    'from',
    'select',
    'with',
    'as',
    '`',
    "'",
    '/*',
    '@',
    'unnest',
    'union all',
    'x',
  ];
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  for (let round = 0; round < 500; round += 1) {
    const text = Array.from({ length: 30 }, () => parts[next() % parts.length]).join(' ');
    completeSql(text, next() % text.length, names, true);
  }
  const deep = `${'('.repeat(5_000)}select `;
  completeSql(deep, deep.length, names, true);
  const long = `select ${'a, '.repeat(30_000)} from edge_logs`;
  expect(completeSql(long, 8, names, true)?.options.length).toBeGreaterThan(0);
});
