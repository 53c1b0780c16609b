import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorise, mayCall } from '../../../../src/calls/access/authorise.ts';
import { LocalPlanner } from '../../../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../../../src/definitions/endpoints/load-endpoints.ts';
import type { CheckedFile } from '../../../../src/definitions/endpoints/plan-query-file.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../../src/sql/analyzer/catalog.ts';
import { endpointFile } from '../support/both-engines.ts';

const columns = ['id', 'project', 'path'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
const catalog: Catalog = { tables: [{ path: ['logs', 'edge'], columns }] };

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

const project = 'parameters: {project: {required: true}}\n';
const base = {
  rows_of: endpointFile('rows_of', 'SELECT id, path FROM logs.edge WHERE project = @project', project),
  'views/paths':
    '/*\nparameters:\n  project: {}\n  n: {type: INT64}\n*/\nWITH p AS (SELECT path FROM logs.edge WHERE project = @project), q AS (SELECT path FROM logs.edge)\nSELECT path, @n AS n FROM p',
};

async function load(files: Readonly<Record<string, string>>, checked?: Map<string, CheckedFile>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'composed-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, `${name}.sql`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const planner = new LocalPlanner(analyzer);
    const planText: typeof planner.planText = (text) => planner.planText(text);
    const loaded = await loadEndpoints(folder, { planText, catalog, checkPlan: async () => {}, checked });
    const lines = loaded.problems.map((each) => {
      const place = `${path.relative(folder, path.resolve(each.file))}:${each.line}:${each.column}`;
      return `${place}: ${each.text}`.replaceAll(/\S*\/composed-[^/]*\//g, '');
    });
    return { ...loaded, lines };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a query over another one is refused at its place:', () => {
  test.each([
    [
      'no such endpoint',
      "SELECT 1 AS x\nFROM endpoints.rows_if(project => 'a')",
      '6:6: There is no endpoints.rows_if. Did you mean "endpoints.rows_of"?',
    ],
    ['no such view', 'SELECT * FROM views.nothing', '5:15: There is no views.nothing'],
    [
      'no such entry',
      'SELECT * FROM views.paths.r',
      '5:15: views.paths: its WITH clause has no entry "r". Did you mean "p"?',
    ],
    [
      'a required parameter',
      'SELECT * FROM endpoints.rows_of',
      '5:15: endpoints.rows_of requires the parameter "project": (project => …)',
    ],
    [
      'an unknown parameter',
      "SELECT * FROM endpoints.rows_of(project => 'a', x => 1)",
      '5:49: endpoints.rows_of has no parameter "x". It has: project',
    ],
    [
      'an argument twice',
      "SELECT * FROM endpoints.rows_of(project => 'a', Project => 'b')",
      '5:49: The argument "Project" is given twice',
    ],
    [
      'an argument without a name',
      "SELECT * FROM endpoints.rows_of('a')",
      '5:33: An argument is written as name => value here',
    ],
    [
      'an argument of another type',
      "SELECT * FROM views.paths(n => /* é */ 'x')",
      '5:40: The parameter "n" is INT64, not STRING',
    ],
    [
      'an argument that loses digits',
      'SELECT * FROM views.paths(n => 1.5)',
      '5:32: The parameter "n" is INT64, not FLOAT64',
    ],
    [
      'a mistake in an argument',
      'SELECT * FROM views.paths(n => 1 + nope)',
      '5:36: Unrecognized name: nope. An argument is made of constants and parameters only',
    ],
    [
      'a column as an argument',
      'SELECT (SELECT ANY_VALUE(path) FROM views.paths(project => e.id)) AS x FROM logs.edge AS e',
      '5:60: Unrecognized name: e. An argument is made of constants and parameters only',
    ],
    [
      'chance',
      'SELECT * FROM views.paths(n => CAST(RAND() AS INT64))',
      '5:32: An argument has one value: RAND has another at each use',
    ],
    [
      'an undeclared parameter',
      'SELECT * FROM views.paths(project => @who)',
      '5:38: Parameter "who" is not declared in the settings',
    ],
    [
      'an argument without use',
      "SELECT * FROM views.paths.q(project => 'a')",
      '5:29: views.paths.q does not use the parameter "project"',
    ],
    [
      'itself',
      'SELECT * FROM endpoints.mine',
      "5:15: A query can't read itself: endpoints.mine → endpoints.mine",
    ],
    [
      'a name that could hide sources',
      'SELECT path FROM views.paths AS logs',
      '5:1: A query that reads endpoints or views can give nothing the name "logs"',
    ],
    [
      'pipe syntax',
      "FROM views.paths(n => 'x') |> SELECT path",
      '5:23: The parameter "n" is INT64, not STRING',
    ],
    ['a column that is not there', 'SELECT nothing FROM views.paths', '5:8: Unrecognized name: nothing'],
  ])('%s', async (_what, sql, line) => {
    const { lines } = await load({ ...base, mine: endpointFile('mine', sql) });
    expect(lines).toEqual([`mine.sql:${line}`]);
  });

  test('a required parameter is not required for an entry without it', async () => {
    const entries =
      'WITH p AS (SELECT path FROM logs.edge WHERE project = @project), q AS (SELECT id FROM logs.edge) SELECT * FROM p';
    const { lines } = await load({
      base: endpointFile('base', entries, project),
      right: endpointFile('right', 'SELECT * FROM endpoints.base.q'),
      wrong: endpointFile('wrong', 'SELECT * FROM endpoints.base.p'),
    });
    expect(lines).toEqual([
      'wrong.sql:5:15: endpoints.base requires the parameter "project": (project => …)',
    ]);
  });

  test('circles, and what reads a query with errors', async () => {
    const { lines } = await load({
      a: endpointFile('a', 'SELECT * FROM endpoints.b'),
      b: endpointFile('b', 'SELECT * FROM views.c'),
      'views/c': 'SELECT * FROM\n endpoints.a',
      d: endpointFile('d', 'SELECT * FROM views.wrong'),
      e: endpointFile('e', 'SELECT * FROM views.wrong.entry'),
      'views/wrong': '/*\nname: x\n*/\nSELECT 1',
    });
    expect(lines).toEqual([
      "a.sql:5:15: A query can't read itself: endpoints.a → endpoints.b → views.c → endpoints.a",
      "b.sql:5:15: A query can't read itself: endpoints.b → views.c → endpoints.a → endpoints.b",
      'd.sql:5:15: views.wrong has errors: see views/wrong.sql',
      'e.sql:5:15: views.wrong has errors: see views/wrong.sql',
      "views/c.sql:2:2: A query can't read itself: views.c → endpoints.a → endpoints.b → views.c",
      'views/wrong.sql:2:1: Unknown key "name" in the settings',
    ]);
  });

  test('a query that is too large with what it reads', async () => {
    const { lines } = await load({
      'views/large': `SELECT '${'x'.repeat(130_000)}' AS x`,
      twice: endpointFile('twice', 'SELECT a.x FROM views.large AS a JOIN views.large AS b USING (x)'),
    });
    expect(lines).toEqual([
      expect.stringMatching(/The query is too large together with the endpoints and views that it reads$/),
    ]);
  });

  test('functions of one name', async () => {
    const twice = (name: string) =>
      endpointFile(name, 'CREATE TEMP FUNCTION f(x INT64) AS (x);\nSELECT f(1) AS x');
    const sql = 'SELECT * FROM endpoints.a JOIN endpoints.b USING (x)';
    const { lines } = await load({
      a: twice('a'),
      b: twice('b').replace('f(1)', 'f(2)').replace('(x);', '(x + 1);'),
      c: endpointFile('c', sql),
    });
    expect(lines).toEqual([
      expect.stringContaining('define different functions "f". Choose another name for one'),
    ]);
  });
});

test('a change of what a query reads is a change of the query, and of nothing else', async () => {
  const files = {
    ...base,
    outer: endpointFile('outer', "SELECT * FROM views.paths(project => 'a')"),
    other: endpointFile('other', 'SELECT 1 AS x'),
  };
  const checked = new Map<string, CheckedFile>();
  const versions = async (changed = {}) => {
    const { endpoints, lines } = await load({ ...files, ...changed }, checked);
    expect(lines).toEqual([]);
    return new Map(endpoints.map(({ name, version }) => [name, version]));
  };
  const before = await versions();
  const after = await versions({ 'views/paths': files['views/paths'].replace('AS n', 'AS m') });
  expect([...before.keys()].filter((name) => before.get(name) !== after.get(name))).toEqual(['outer']);
});

test('what is redacted within is redacted in what reads it', async () => {
  const { endpoints } = await load({
    hidden: endpointFile('hidden', 'SELECT path FROM logs.edge', 'redactPii: true\nredact: [email]\n'),
    'views/between': 'SELECT * FROM endpoints.hidden',
    shown: endpointFile('shown', 'SELECT * FROM views.between', 'redact: [card]\n'),
  });
  const shown = endpoints.find(({ name }) => name === 'shown');
  expect(shown).toMatchObject({ redactPii: true, redact: ['card', 'email'] });
  expect(shown?.composition?.reads).toEqual(['views.between']);
});

describe('a key that is bound to a project', () => {
  const bound = { pins: new Map([['project', 'a']]) };
  const given = new Map([['project', 'a']]);
  const reaching = {
    handed_on: 'SELECT * FROM endpoints.rows_of(project => @project)',
    in_brackets: 'SELECT * FROM endpoints.rows_of(project => ((@Project)))',
    in_subquery: 'SELECT (SELECT COUNT(*) FROM endpoints.rows_of(project => @project)) AS n',
    of_entry: 'SELECT * FROM views.paths.p(project => @project)',
    through_view: 'SELECT * FROM views.through(project => @project)',
    without_parameter: 'SELECT * FROM views.free WHERE path = @project',
  };
  const leaking = {
    constant: "SELECT * FROM endpoints.rows_of(project => 'b') WHERE path = @project",
    changed: "SELECT * FROM endpoints.rows_of(project => CONCAT(@project, ''))",
    chosen: "SELECT * FROM endpoints.rows_of(project => IF(@project = 'a', 'b', 'c'))",
    absent: 'SELECT * FROM views.paths WHERE path = @project',
    of_null: 'SELECT * FROM views.paths(project => NULL) WHERE path = @project',
    one_of_two:
      "SELECT id FROM endpoints.rows_of(project => @project) UNION ALL SELECT id FROM endpoints.rows_of(project => 'b')",
    entry_without_it: 'SELECT * FROM views.paths.q WHERE path = @project',
    within_view: 'SELECT * FROM views.leaking(project => @project)',
  };
  const files = {
    ...base,
    'views/free': 'SELECT path FROM logs.edge',
    'views/through':
      '/*\nparameters: {project: {}}\n*/\nSELECT * FROM endpoints.rows_of(project => @project)',
    'views/leaking':
      "/*\nparameters: {project: {}}\n*/\nSELECT * FROM endpoints.rows_of(project => 'b') WHERE path = @project",
    ...Object.fromEntries(
      Object.entries({ ...reaching, ...leaking }).map(([name, sql]) => [
        name,
        endpointFile(name, sql, project),
      ]),
    ),
  };

  test('calls what hands its project on to every query within, and nothing else', async () => {
    const { endpoints, lines } = await load(files);
    expect(lines).toEqual([]);
    const allowed = endpoints.filter((endpoint) => mayCall(bound, endpoint)).map(({ name }) => name);
    expect(allowed.sort()).toEqual(['rows_of', ...Object.keys(reaching)].sort());
    for (const endpoint of endpoints) {
      const call = () => authorise(bound, endpoint, given);
      if (allowed.includes(endpoint.name)) expect(call()).toEqual(given);
      else expect(call).toThrow('do not reach all that the endpoint');
    }
  });
});
