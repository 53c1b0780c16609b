import { describe, expect, test } from 'vitest';
import { completeSql } from '../../../src/sql/editing/complete-sql.ts';
import { queryText } from '../../../src/sql/editing/query-text.ts';
import { marked, namesOf, table } from './marked.ts';

const request = 'STRUCT<method STRING, path STRING, cf STRUCT<city STRING>>';
const names = namesOf(
  [
    table('edge_logs', {
      id: 'STRING',
      timestamp: 'TIMESTAMP',
      metadata: `ARRAY<STRUCT<request ARRAY<${request}>, level STRING>>`,
    }),
    table('auth_logs', { auth_event: 'STRUCT<action STRING, from INT64>' }),
    { ...table('order', { id: 'INT64' }), description: 'What was bought.' },
  ],
  {
    functions: [
      ...['COUNT', 'COUNTIF', 'LEFT', 'TIMESTAMP'].map((name) => ({ name })),
      { name: 'NET.HOST', detail: 'scalar', description: '`NET.HOST(STRING) -> STRING`' },
    ],
    parameters: [{ name: 'project', detail: 'STRING' }],
  },
);

function completionsAt(query: string, isAsked = false, known = names) {
  const [text, offset] = marked(query);
  return completeSql(queryText(text), offset, known, isAsked);
}
const optionsAt = (query: string, isAsked = false) => completionsAt(query, isAsked)?.options ?? [];
const labelsAt = (query: string, isAsked = false) => optionsAt(query, isAsked).map(({ label }) => label);

describe('tables', () => {
  test('are offered after FROM, JOIN and a comma of FROM', () => {
    for (const query of ['select * from ‸', 'select * from e‸', 'select 1 from auth_logs, ‸']) {
      expect(labelsAt(query), query).toEqual(expect.arrayContaining(['edge_logs', 'auth_logs']));
    }
    expect(optionsAt('select * from ‸').at(-2)?.description).toBe('What was bought.');
  });

  test('with dots are offered level by level, and with quotes around all of them if one needs quotes', () => {
    const dotted = (...tables: string[]) => namesOf(tables.map((name) => table(name, { id: 'STRING' })));
    const at = (query: string, ...tables: string[]) => {
      const { from, options = [] } = completionsAt(query, false, dotted(...tables)) ?? {};
      return [
        from,
        ...options.filter(({ kind }) => kind === 'table').map(({ label, insert }) => [label, insert]),
      ];
    };
    expect(at('select * from logs.‸', 'logs.a', 'logs.b')).toEqual([19, ['a', 'a'], ['b', 'b']]);
    expect(at('select * from Logs.a‸', 'logs.a', 'logs.b_*')).toEqual([
      14,
      ['logs.a', 'logs.a'],
      ['logs.b_*', '`logs.b_*`'],
    ]);
    expect(at('select * from l‸', 'logs.a', 'logs.b_*')).toEqual([
      14,
      ['logs.a', 'logs.a'],
      ['logs.b_*', '`logs.b_*`'],
    ]);
    expect(
      completionsAt('select b.‸ from `logs.b_*` as b', false, dotted('logs.b_*'))?.options,
    ).toMatchObject([{ label: 'id' }]);
  });

  test('have quotes where they need them, and replace the quotes that are there', () => {
    expect(optionsAt('select * from o‸').find(({ label }) => label === 'order')?.insert).toBe('`order`');
    expect(completionsAt('select * from `or‸')?.from).toBe(14);
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

  test('that a table adds to each row are offered, but not for a star', () => {
    const [fields] = [table('', { _table_suffix: 'STRING' }).fields];
    const days = namesOf([{ ...table('days', { id: 'STRING' }), pseudoFields: fields }]);
    const at = (query: string) => completionsAt(query, false, days)?.options.map(({ label }) => label);
    expect(at('select d.‸ from days as d')).toEqual(['id', '_table_suffix']);
    expect(at('select d.‸ from (select * from days) as d')).toEqual(['id']);
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
    expect(labelsAt('SELECT 1 FROM (SELECT * FROM edge_logs) JOIN ‸')).toContain(
      'UNNEST(metadata) AS metadata',
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
  test('functions and keywords have the letter case of the query', () => {
    expect(labelsAt('select cou‸')).toContain('countif');
    expect(labelsAt('SELECT cou‸')).toContain('COUNTIF');
    expect(labelsAt('select COU‸')).toContain('COUNTIF');
    expect(labelsAt('sel‸')).toContain('select');
    expect(labelsAt('SEL‸')).toContain('SELECT');
    expect(labelsAt('‸', true)).toContain('SELECT');
  });

  test('a name that is a column and a function is offered once for each meaning', () => {
    const kinds = optionsAt('select ‸ from edge_logs as a join edge_logs as b', true)
      .filter(({ label }) => label.toLowerCase() === 'timestamp')
      .map(({ kind }) => kind);
    expect(kinds).toEqual(['column', 'function', 'keyword']);
  });

  test('functions of a group follow its name, and all of them SAFE', () => {
    expect(optionsAt('SELECT net.‸')).toMatchObject([{ label: 'HOST', detail: 'scalar' }]);
    expect(labelsAt('SELECT SAFE.‸')).toEqual(['COUNT', 'COUNTIF', 'LEFT', 'TIMESTAMP', 'NET.HOST']);
    expect(labelsAt('SELECT ‸', true)).not.toContain('NET.HOST');
  });

  test('parameters follow @, and are among the names of expressions', () => {
    expect(optionsAt('select @‸')).toMatchObject([{ label: '@project', detail: 'STRING' }]);
    expect(completionsAt('select @pr‸')).toMatchObject({ from: 7, options: [{ label: '@project' }] });
    expect(labelsAt('select pr‸')).toContain('@project');
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
      `select ${'/* a */'.repeat(100)} /* b‸`,
    ]) {
      expect(labelsAt(query, true), query).toEqual([]);
    }
    expect(labelsAt("select 'it''s', -- from\n i‸ from edge_logs")).toContain('id');
    expect(labelsAt('select /* a */ # b\n ‸', true)).toContain('id');
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
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: 30 }, () => parts[next() % parts.length]).join(' ');
    completeSql(queryText(text), next() % text.length, names, true);
  }
  completionsAt(`${'('.repeat(5_000)}select ‸`);
  completionsAt(`${'(select 1 from '.repeat(100)}‸`);
  expect(optionsAt(`select ${'a, '.repeat(10_000)} ‸ from edge_logs`, true).length).toBeGreaterThan(0);
});

test('brackets that are too deep end where they should', () => {
  const deep = `${'('.repeat(1_000)}1${')'.repeat(1_000)}`;
  expect(labelsAt(`select ${deep}, t.‸ from edge_logs as t`)).toEqual(['id', 'timestamp', 'metadata']);
});
