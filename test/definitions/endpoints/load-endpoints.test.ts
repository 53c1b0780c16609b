import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../../src/definitions/endpoints/load-endpoints.ts';
import type { CheckedFile } from '../../../src/definitions/endpoints/plan-query-file.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError } from '../../../src/sql/analyzer/error.ts';

const catalog: Catalog = {
  tables: [
    {
      path: ['logs', 'edge_logs'],
      columns: [
        { name: 'id', type: { kind: 'STRING' } },
        { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
      ],
    },
  ],
};

const id = '00000000-0000-4000-8000-000000000001';
const settings = `id: ${id}\nname: a`;
const file = (yaml: string, sql: string) => `/*\n${yaml}\n*/\n${sql}`;

let analyzer: Analyzer;
let folder: string;

beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'endpoints-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(
  files: Record<string, string | Buffer>,
  checkPlan: () => Promise<void> = async () => {},
  retentionDays: ReadonlyMap<string, number> = new Map(),
) {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const planner = new LocalPlanner(analyzer);
  const { endpoints, problems } = await loadEndpoints(folder, {
    planText: (text) => planner.planText(text),
    catalog,
    checkPlan,
    retentionDays,
  });
  const lines = problems.map((p) => `${path.basename(p.file)}:${p.line}:${p.column}: ${p.text}`);
  return { endpoints, lines };
}

it('columns of one name get different ones, with a warning', async () => {
  await writeFile(path.join(folder, 'a.sql'), file(settings, 'select 1 as a, 2 as A, 3 as a, 4 as b'));
  const planner = new LocalPlanner(analyzer);
  const planText: typeof planner.planText = (text) => planner.planText(text);
  const loaded = await loadEndpoints(folder, { planText, catalog, checkPlan: async () => {} });
  expect(loaded.endpoints[0]?.plan.columns.map(({ name }) => name)).toEqual(['a', 'A_1', 'a_2', 'b']);
  expect(loaded.problems).toEqual([]);
  expect(loaded.warnings.map(({ line, text }) => `${line}: ${text}`)).toEqual([
    '5: Several columns of the result have the name "A". One of them is called "A_1", as in BigQuery',
    '5: Several columns of the result have the name "a". One of them is called "a_2", as in BigQuery',
  ]);
});

describe('a query that the analyzer fails on is named, and hides no other error:', () => {
  const wrong = file(`id: 00000000-0000-4000-8000-000000000002\nname: b`, 'SELECT\n nope AS x');

  it.each([
    [
      'a type without values',
      "SELECT CAST('[2026-01-01, 2026-02-01)' AS RANGE<DATE>) AS r",
      '5:1: Not supported: the type RANGE',
    ],
    [
      'a path that ends the analyzer at random',
      "SELECT JSON_REMOVE(JSON '{}', '$.a', '$.b', CAST(CONCAT('$', '.d') AS STRING)) AS r",
      '5:45: Argument 4 to JSON_REMOVE must be a literal or query parameter',
    ],
    [
      'the same in a function',
      "CREATE TEMP FUNCTION f(p ANY TYPE) AS (SAFE.JSON_REMOVE(JSON '{}', '$.a', '$.b', '$.c', p));\nSELECT f('$.d') AS r",
      '5:89: Argument 5 to JSON_REMOVE must be a literal or query parameter',
    ],
  ])('%s', async (_, sql, line) => {
    const { lines } = await load({ 'a.sql': file(settings, sql), 'b.sql': wrong });
    expect(lines).toEqual([`a.sql:${line}`, 'b.sql:6:2: Unrecognized name: nope']);
  });

  it('one that ends it, or takes too long, which is tried again', async () => {
    await writeFile(path.join(folder, 'a.sql'), file(settings, 'SELECT 1 AS x'));
    await writeFile(path.join(folder, 'b.sql'), wrong);
    const planner = new LocalPlanner(analyzer);
    let fails = true;
    const planText: typeof planner.planText = async (text) => {
      if (fails && text.sql.includes('1 AS x'))
        throw new AnalyzerOverwhelmedError('The query took too long to analyze');
      return planner.planText(text);
    };
    const checked = new Map<string, CheckedFile>();
    const problems = async () => {
      const found = await loadEndpoints(folder, { planText, catalog, checkPlan: async () => {}, checked });
      return found.problems.map((p) => `${path.basename(p.file)}:${p.line}:${p.column}: ${p.text}`);
    };
    const other = 'b.sql:6:2: Unrecognized name: nope';
    expect(await problems()).toEqual(['a.sql:5:1: The query took too long to analyze', other]);
    fails = false;
    expect(await problems()).toEqual([other]);
  });
});

describe('an endpoint file', () => {
  it('gives an endpoint with its settings, parameters and columns', async () => {
    const yaml = `id: ${id.toUpperCase()}
name: usage
maxRows: 5
parameters:
  interval: {required: true, values: [hour, day]}
  n: {type: INT64, description: How many}`;
    const { endpoints, lines } = await load({
      'usage.sql': file(yaml, 'select id, @n as n from logs.edge_logs where @interval = "hour"'),
    });
    expect(lines).toEqual([]);
    expect(endpoints).toMatchObject([
      {
        id,
        name: 'usage',
        maxRows: 5,
        cacheSeconds: 0,
        sandbox: false,
        parameters: [
          { name: 'interval', type: { kind: 'STRING' }, required: true, values: ['hour', 'day'] },
          { name: 'n', type: { kind: 'INT64' }, required: false, description: 'How many' },
        ],
        plan: { columns: [{ name: 'id' }, { name: 'n', type: { kind: 'INT64' } }] },
      },
    ]);
  });

  it('gives an endpoint with what its jobs are like, where it says so', async () => {
    const jobs = `labels: team=x,p=@p
bigquery:
  location: EU
  jobTimeoutMs: 5000
  allowReservation: true
  maxBytesPerDay: 9
parameters:
  p: {}`;
    const { endpoints } = await load({
      'a.sql': file(`${settings}\n${jobs}`, 'select @p as p'),
      'b.sql': file(`id: ${id.replace(/1$/, '2')}\nname: b`, 'select 1 as n'),
    });
    expect(endpoints).toMatchObject([
      {
        job: { location: 'EU', jobTimeoutMs: 5000 },
        labels: [
          { key: 'team', value: 'x' },
          { key: 'p', parameter: 'p' },
        ],
        allowReservation: true,
        maxBytesPerDay: 9,
      },
      { job: {}, labels: [], allowReservation: false },
    ]);
    for (const each of ['bigquery', 'reservation']) expect(endpoints[0]).not.toHaveProperty(each);
    expect(Object.keys(endpoints[1]?.job ?? { none: 1 })).toEqual([]);
  });

  it('has numbers among allowed values and examples as they are written', async () => {
    const yaml = `${settings}
parameters:
  n: {type: INT64, values: [1, -2, 9223372036854775807], example: 9223372036854775807}
  d: {type: NUMERIC, values: [1.50, 0.1], example: 1.50}
  i: {type: INT64, example: 9007199254740993}`;
    const { endpoints, lines } = await load({ 'a.sql': file(yaml, 'select @n as n, @d as d, @i as i') });
    expect(lines).toEqual([]);
    expect(endpoints[0]?.parameters).toMatchObject([
      { values: ['1', '-2', '9223372036854775807'], example: '9223372036854775807' },
      { values: ['1.50', '0.1'], example: '1.50' },
      { example: '9007199254740993' },
    ]);
  });

  it('may read no table, and name its parameters in any letter case', async () => {
    const yaml = `${settings}\nparameters:\n  userId: {}`;
    const { endpoints, lines } = await load({ 'a.sql': file(yaml, 'select @userid as user') });
    expect(lines).toEqual([]);
    expect(endpoints).toHaveLength(1);
  });

  it('may have a byte order mark, line comments and CRLF', async () => {
    const text = `\uFEFF-- ours\r\n/*\r\nid: ${id}\r\nname: a\r\n*/\r\nselect\r\n  nope`;
    expect((await load({ 'a.sql': text })).lines).toEqual(['a.sql:7:3: Unrecognized name: nope']);
  });
});

describe('a mistake is found where it stands', () => {
  it.each([
    [
      'no settings',
      'select 1',
      ['a.sql:1:1: No settings: expected a block comment with YAML (id, name, ...) before the query'],
    ],
    [
      'an unknown column',
      file(settings, 'select\n  nope\nfrom logs.edge_logs'),
      ['a.sql:6:3: Unrecognized name: nope'],
    ],
    [
      'behind a tab',
      file(settings, 'select\t\tnope from logs.edge_logs'),
      ['a.sql:5:9: Unrecognized name: nope'],
    ],
    [
      'an unknown table',
      file(settings, 'select 1 from logs.nope'),
      ['a.sql:5:15: Table not found: logs.nope'],
    ],
    [
      'on the line of the comment',
      `/* {id: ${id}, name: a} */ select nope`,
      ['a.sql:1:66: Unrecognized name: nope'],
    ],
    [
      'two columns whose names cannot be told apart',
      file(settings, 'select 1 as a, 2 as A, 3 as a_1, 4, 5 as f0_'),
      [
        'a.sql:5:1: Duplicate column name "A" in the result',
        'a.sql:5:1: Duplicate column name "f0_" in the result',
      ],
    ],
    [
      'a syntax error',
      file(settings, 'select 1 frm x y'),
      ['a.sql:5:14: Syntax error: Expected end of input but got identifier "x"'],
    ],
    [
      'a second statement',
      file(settings, 'select 1;\nselect 2'),
      ['a.sql:6:1: Syntax error: Expected end of input but got keyword SELECT'],
    ],
    ['no query', file(settings, ''), ['a.sql:4:3: Syntax error: Unexpected end of statement']],
    [
      'an undeclared parameter',
      file(settings, 'select @a, @b, @a'),
      [
        'a.sql:5:8: Parameter "a" is not declared in the settings',
        'a.sql:5:12: Parameter "b" is not declared in the settings',
        'a.sql:5:16: Parameter "a" is not declared in the settings',
      ],
    ],
    [
      'an unused parameter',
      file(`${settings}\nparameters:\n  x: {}\n  y:\n    required: true`, 'select 1'),
      [
        'a.sql:5:3: Parameter "x" is declared, but the query does not use it',
        'a.sql:6:3: Parameter "y" is declared, but the query does not use it',
      ],
    ],
    [
      'an unknown key',
      file(`${settings}\nmaxrows: 3\nparameters:\n  p: {typ: INT64}`, 'select @p'),
      [
        'a.sql:4:1: Unknown key "maxrows" in the settings. Did you mean "maxRows"?',
        'a.sql:6:7: Unknown key "parameters.p.typ" in the settings. Did you mean "type"?',
      ],
    ],
    [
      'a bad value',
      file(`${settings}\nmaxRows: many\nsandbox: 1`, 'select 1'),
      [
        'a.sql:4:10: Bad setting "maxRows": expected a number, got "many"',
        'a.sql:5:10: Bad setting "sandbox": expected true or false, got 1',
      ],
    ],
    [
      'a bad value beside wrong parameters, and no mistake that is only due to it',
      file(
        `${settings}\nmaxRows: 0\nparameters:\n  n: {type: INT64}\n  unused: {}`,
        'select @n + 1, @missing',
      ),
      [
        expect.stringMatching(/^a\.sql:4:10: Bad setting "maxRows"/),
        'a.sql:7:3: Parameter "unused" is declared, but the query does not use it',
        'a.sql:9:16: Parameter "missing" is not declared in the settings',
      ],
    ],
    [
      'a table without the catalog in front',
      file(settings, 'select 1 from edge_logs'),
      ['a.sql:5:15: Table not found: edge_logs; Did you mean logs.edge_logs?'],
    ],
    [
      'a bad UUID',
      file('id: 12\nname: a', 'select 1'),
      [expect.stringMatching(/^a\.sql:2:5: Bad setting "id": expected a UUID, such as [-0-9a-f]{36}$/)],
    ],
    [
      'a missing id',
      file('name: a', 'select 1'),
      [
        expect.stringMatching(
          /^a\.sql:2:1: Setting "id" is missing\. Add one, such as id: [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        ),
      ],
    ],
    [
      'a value out of its range, and one of no type that is allowed',
      file(
        `${settings}\ncacheSeconds: -1\nparameters:\n  p: {default: {}}\n  q: {values: []}`,
        'select @p, @q',
      ),
      [
        'a.sql:4:15: Bad setting "cacheSeconds": expected at least 0, got -1',
        'a.sql:6:16: Bad setting "parameters.p.default": expected a text, or a list of texts for an array',
        'a.sql:7:15: Bad setting "parameters.q.values": expected at least 1 element, got an empty list',
      ],
    ],
    [
      'a statement that is no query',
      file(settings, 'delete from logs.edge_logs where true'),
      ['a.sql:5:1: Statement not supported: DELETE. An endpoint is one query (SELECT)'],
    ],
    [
      'a statement whose place the analyzer does not know',
      file(settings, 'show grants on "x"'),
      ['a.sql:5:1: Statement not supported: SHOW. An endpoint is one query (SELECT)'],
    ],
    ['a missing name', file(`id: ${id}`, 'select 1'), ['a.sql:2:1: Setting "name" is missing']],
    [
      'a bad type',
      file(`${settings}\nparameters:\n  p: {type: TEXT}`, 'select @p'),
      [
        expect.stringMatching(
          /^a\.sql:5:13: Bad setting "parameters\.p\.type": expected one of BOOL, .*, got "TEXT"\. Did you mean STRING\?$/,
        ),
      ],
    ],
    [
      'an allowed value that is none of its type',
      file(
        `${settings}\nparameters:\n  n: {type: INT64, values: [1, x, 2.5]}\n  t: {values: [x], type: DATE}`,
        'select @n, @t',
      ),
      [
        expect.stringMatching(/^a\.sql:5:32: Bad setting "parameters\.n\.values\.1": .*whole number.*"x"/),
        expect.stringMatching(/^a\.sql:5:35: Bad setting "parameters\.n\.values\.2": .*"2\.5"/),
        expect.stringMatching(/^a\.sql:6:16: Bad setting "parameters\.t\.values\.0": .*a date.*"x"/),
      ],
    ],
    [
      'an example that is no value of its parameter',
      file(
        `${settings}\nparameters:\n  p: {values: [x, y], example: z}\n  d: {type: DATE, example: soon}`,
        'select @p, @d',
      ),
      [
        'a.sql:5:32: Bad setting "parameters.p.example": must be one of x, y, not "z"',
        expect.stringMatching(/^a\.sql:6:28: Bad setting "parameters\.d\.example": .*a date.*"soon"/),
      ],
    ],
    [
      'rules that fit neither the type nor each other, and values that break them',
      file(
        `${settings}
parameters:
  a: {type: STRNG}
  b: {type: 'array<string>'}
  c: {type: INT64, min: 10, max: 9}
  d: {pattern: '(', min: 1}
  e: {type: INT64, min: x, default: 7}
  f: {type: INT64, max: 6, default: 7}
  g: {type: ARRAY<INT64>, default: 7}
  h: {type: ARRAY<INT64>, default: [1, x]}
  i: {maxItems: 4, default: [a]}
  j: {required: true, default: a}
  k: {type: ARRAY<STRING>, maxLength: 1, maxItems: 1, example: [a, bc]}
  l: {values: [aa], maxLength: 1}`,
        'select @a, @b, @c, @d, @e, @f, @g, @h, @i, @j, @k, @l',
      ),
      [
        expect.stringMatching(
          /^a\.sql:5:13: .*"parameters\.a\.type": .* got "STRNG"\. Did you mean STRING\?$/,
        ),
        expect.stringMatching(/^a\.sql:6:13: .* got "array<string>"\. Did you mean ARRAY<STRING>\?$/),
        'a.sql:7:25: Bad setting "parameters.c.min": must not be greater than max (9), got 10',
        'a.sql:8:16: Bad setting "parameters.d.pattern": Cannot parse regular expression: missing ): (',
        expect.stringMatching(
          /^a\.sql:8:26: Bad setting "parameters\.d\.min": applies to .*, not to STRING$/,
        ),
        expect.stringMatching(/^a\.sql:9:25: Bad setting "parameters\.e\.min": .*whole number.*"x"$/),
        'a.sql:10:37: Bad setting "parameters.f.default": must be at most 6 (max), not "7"',
        'a.sql:11:36: Bad setting "parameters.g.default": expected a list, because the type is an array',
        expect.stringMatching(/^a\.sql:12:40: Bad setting "parameters\.h\.default\.1": .*whole number.*"x"$/),
        'a.sql:13:17: Bad setting "parameters.i.maxItems": applies to arrays, not to STRING',
        'a.sql:13:29: Bad setting "parameters.i.default": expected one value of type STRING, not a list',
        'a.sql:14:32: Bad setting "parameters.j.default": a required parameter has no default: every call gives its value',
        'a.sql:15:64: Bad setting "parameters.k.example": may have at most 1 element (maxItems), got 2',
        'a.sql:15:68: Bad setting "parameters.k.example.1": may have at most 1 character (maxLength), got "bc"',
        'a.sql:16:16: Bad setting "parameters.l.values.0": may have at most 1 character (maxLength), got "aa"',
      ],
    ],
    [
      'a label with the value of an array',
      file(`${settings}\nlabels: x=@a\nparameters:\n  a: {type: ARRAY<STRING>}`, 'select @a'),
      ['a.sql:4:9: Bad setting "labels": the parameter "a" is an array, which can\'t be a label'],
    ],
    [
      'a reserved name',
      file(`${settings}\nparameters:\n  sql: {}`, 'select @sql'),
      ['a.sql:5:3: Bad parameter name "sql": this name is reserved for another request parameter'],
    ],
    [
      'settings that a name can not have',
      file(`${settings}\nparameters:\n  __proto__: {}\ncolumns:\n  __proto__: {}`, 'select 1 as n'),
      [
        'a.sql:5:3: The name "__proto__" can have no settings',
        'a.sql:7:3: The name "__proto__" can have no settings',
      ],
    ],
    [
      'names that differ by case',
      file(`${settings}\nparameters:\n  p: {}\n  P: {}`, 'select @p'),
      ['a.sql:6:3: Parameters "p" and "P" are the same to GoogleSQL, which ignores letter case'],
    ],
    [
      'a name like a UUID',
      file(`id: ${id}\nname: ${id}`, 'select 1'),
      ['a.sql:3:7: Bad setting "name": a name that looks like a UUID cannot be called'],
    ],
    [
      'malformed YAML',
      file(`${settings}\n  : [`, 'select 1'),
      [expect.stringMatching(/^a\.sql:5:1: Settings: Flow sequence/)],
    ],
    [
      'no mapping',
      file('just text', 'select 1'),
      [expect.stringMatching(/^a\.sql:2:1: Settings: expected an object with keys, got "just text"$/)],
    ],
    [
      'a name of 70,000 characters',
      file(settings, `select ${'x'.repeat(70_000)}`),
      ['a.sql:5:8: Name of 70000 characters: at most 1024 are allowed'],
    ],
  ])('%s', async (_, text, expected) => {
    const { endpoints, lines } = await load({ 'a.sql': text });
    expect(lines).toEqual(expected);
    expect(endpoints).toEqual([]);
  });

  it('bytes that are not UTF-8', async () => {
    const { lines } = await load({
      'a.sql': Buffer.concat([Buffer.from('/*\n'), Buffer.from([0xff]), Buffer.from('\n*/')]),
    });
    expect(lines).toEqual(['a.sql:2:1: This line is not valid UTF-8']);
  });

  it.each([
    [
      'labels: team=x,1=y',
      'a.sql:4:9',
      'labels',
      '"1=y" has no valid BigQuery label key: a key needs a letter',
    ],
    ['labels: =y', 'a.sql:4:9', 'labels', '"=y" has no valid BigQuery label key: a key needs a letter'],
    ['staleIfErrorSeconds: 60', 'a.sql:4:22', 'staleIfErrorSeconds', 'needs cacheSeconds above 0'],
  ])('a setting that would have no effect: %s', async (yaml, place, name, reason) => {
    const { lines } = await load({ 'a.sql': file(`${settings}\n${yaml}`, 'select 1') });
    expect(lines).toEqual([`${place}: Bad setting "${name}": ${reason}`]);
  });

  it('files that can not be read', async () => {
    await symlink('nowhere', path.join(folder, 'gone.sql'));
    await mkdir(path.join(folder, 'folder.sql'));
    await symlink('/dev/zero', path.join(folder, 'zero.sql'));
    const { endpoints, lines } = await load({ 'a.sql': file(settings, 'select 1') });
    expect(lines).toEqual([
      'folder.sql:1:1: cannot be read (illegal operation on a directory)',
      'gone.sql:1:1: cannot be read (no such file or directory)',
      'zero.sql:1:1: cannot be read (it is not a file)',
    ]);
    expect(endpoints).toHaveLength(1);
  });

  it('plans that the engine refuses', async () => {
    const refuse = async () => {
      throw new GatewayError('QUERY_FAILED', 'GEOGRAPHY is not supported');
    };
    const { lines } = await load({ 'a.sql': file(settings, '\n  select 1') }, refuse);
    expect(lines).toEqual(['a.sql:6:3: GEOGRAPHY is not supported']);
  });

  it('a folder without endpoints', async () => {
    expect((await load({})).lines).toEqual([
      expect.stringContaining('No endpoints: this folder, which ENDPOINTS_DIR names, has no *.sql file'),
    ]);
  });
});

describe('several files', () => {
  it('may not share an id or a name', async () => {
    const { endpoints, lines } = await load({
      'a.sql': file(settings, 'select 1'),
      'b.sql': file(`name: b\nid: ${id}`, 'select 1'),
      'c.sql': file('id: 00000000-0000-4000-8000-000000000002\nname: a', 'select 1'),
    });
    expect(lines).toEqual([
      expect.stringMatching(/^b\.sql:3:1: Duplicate id: .*a\.sql also has/),
      expect.stringMatching(/^c\.sql:3:1: Duplicate name: .*a\.sql also has "a"/),
    ]);
    expect(endpoints.map((endpoint) => endpoint.name)).toEqual(['a']);
  });

  it('report all their mistakes at once', async () => {
    const { lines } = await load({
      'a.sql': file('id: x', 'select @p'),
      'b.sql': file(`id: ${id}\nname: b\nfoo: 1\nparameters:\n  q: {}`, 'select nope'),
    });
    expect(lines).toEqual([
      'a.sql:2:1: Setting "name" is missing',
      expect.stringMatching(/^a\.sql:2:5: Bad setting "id": expected a UUID, such as [-0-9a-f]{36}$/),
      'a.sql:4:8: Parameter "p" is not declared in the settings',
      'b.sql:4:1: Unknown key "foo" in the settings',
      'b.sql:6:3: Parameter "q" is declared, but the query does not use it',
      'b.sql:8:8: Unrecognized name: nope',
    ]);
  });
});

describe('the retention of a source', () => {
  const cached = file(`${settings}\ncacheSeconds: 900\nwarmSeconds: 300`, 'select id from logs.edge_logs');
  const loadWith = async (text: string, ...days: readonly [string, number][]) => {
    const { endpoints, lines } = await load({ 'a.sql': text }, undefined, new Map(days));
    expect(lines).toEqual([]);
    return endpoints[0];
  };

  it('limits how long results are cached, so that deleted rows are gone from answers within a minute', async () => {
    expect(await loadWith(cached, ['edge_logs', 30])).toMatchObject({ cacheSeconds: 30, warmSeconds: 20 });
    const short = cached.replace('900', '25').replace('300', '10');
    expect(await loadWith(short, ['edge_logs', 30])).toMatchObject({ cacheSeconds: 25, warmSeconds: 10 });
  });

  it('does not concern endpoints that read other sources', async () => {
    const kept = { cacheSeconds: 900, warmSeconds: 300 };
    expect(await loadWith(cached, ['other_logs', 30])).toMatchObject(kept);
    expect(
      await loadWith(cached.replace('logs.edge_logs', "unnest(['a']) as id"), ['edge_logs', 30]),
    ).toMatchObject(kept);
  });

  it('makes another version of the endpoint when it changes: results of before are not used', async () => {
    const versions = [
      await loadWith(cached),
      await loadWith(cached, ['edge_logs', 30]),
      await loadWith(cached, ['edge_logs', 7]),
    ].map((endpoint) => endpoint?.version);
    expect(new Set(versions).size).toBe(3);
    expect((await loadWith(cached, ['other_logs', 30]))?.version).toBe(versions[0]);
  });
});

describe('the setting warm', () => {
  const warmed = `${settings}\ncacheSeconds: 900\nwarmSeconds: 300`;
  const parameters = `parameters:
  project: {required: true}
  n: {type: INT64}
  interval: {values: [hour, day]}`;
  const query = 'select @project as p, @n as n, @interval as i';
  const warm = async (sets: string, yaml = warmed) =>
    load({ 'a.sql': file(`${yaml}\n${parameters}\nwarm:\n${sets}`, query) });

  it('has its parameters read as if a caller had sent them', async () => {
    const { endpoints, lines } = await warm(`  - {project: a, n: "007", interval: day}
  - {project: 1.50, n: 9007199254740993}`);
    expect(lines).toEqual([]);
    expect(endpoints[0]?.warm).toEqual([
      new Map<string, unknown>([
        ['project', 'a'],
        ['n', 7n],
        ['interval', 'day'],
      ]),
      new Map<string, unknown>([
        ['project', '1.50'],
        ['n', 9_007_199_254_740_993n],
        ['interval', null],
      ]),
    ]);
  });

  it('can not have what a caller could not send: each mistake has its place', async () => {
    const { lines } = await warm(`  - {n: 1}
  - {project: a, size: 1}
  - project: a
    n: many
  - {project: a, interval: week}`);
    expect(lines).toEqual([
      'a.sql:11:5: Bad setting "warm.0": Parameter "project" is required.',
      'a.sql:12:18: Bad setting "warm.1.size": there is no parameter "size"',
      'a.sql:14:8: Bad setting "warm.2.n": Parameter "n": expected a whole number from -9223372036854775808 to 9223372036854775807, got "many".',
      'a.sql:15:28: Bad setting "warm.3.interval": Parameter "interval" must be one of hour, day, not "week".',
    ]);
  });

  it('needs an interval, and that one is shorter than the time for which results are kept', async () => {
    const cached = `${settings}\ncacheSeconds: 60`;
    expect((await warm('  - {project: a}', cached)).lines).toEqual([
      'a.sql:10:3: Bad setting "warm": needs warmSeconds',
    ]);
    for (const [yaml, cacheSeconds] of [
      [`${cached}\nwarmSeconds: 60`, 60],
      [`${settings}\nmaxRows: 1\nwarmSeconds: 1`, 0],
    ] as const) {
      expect((await load({ 'a.sql': file(yaml, 'select 1 as n') })).lines).toEqual([
        `a.sql:5:14: Bad setting "warmSeconds": expected 0 or less than cacheSeconds (${cacheSeconds})`,
      ]);
    }
  });
});
