import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authoriseTables } from '../../src/access/authorise.ts';
import type { EndpointTable } from '../../src/endpoints/endpoint.ts';
import { loadEndpoints } from '../../src/endpoints/load-endpoints.ts';
import { LocalPlanner } from '../../src/planner/local-planner.ts';
import { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../src/sql/analyzer/catalog.ts';

const columns = ['id', 'project'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
const catalog: Catalog = { tables: [{ path: ['logs', 'edge_logs'], columns }] };

/** Entries with the names of sources, columns and each other, as endpoints have them. */
const entries = {
  everything: 'SELECT t.id, t.project FROM logs.edge_logs AS t',
  edge_logs: 'SELECT t.id, t.project FROM logs.edge_logs AS t WHERE t.project = @project',
  of_entry: 'SELECT id FROM edge_logs',
  of_entries: 'WITH edge_logs AS (SELECT 1 AS id) SELECT e.id FROM edge_logs AS e, of_entry AS o',
  in_subquery: 'SELECT t.id FROM logs.edge_logs AS t WHERE t.id IN (SELECT id FROM of_entry)',
  in_letters: 'SELECT t.id FROM logs.edge_logs AS t WHERE t.project = @Project',
  in_both:
    'SELECT id FROM edge_logs UNION ALL SELECT t.id FROM logs.edge_logs AS t WHERE t.project = @project',
  around:
    'SELECT * FROM (SELECT * FROM edge_logs UNION ALL SELECT * FROM everything) WHERE project = @project',
  in_one: 'SELECT id FROM edge_logs UNION ALL SELECT t.id FROM logs.edge_logs AS t',
  in_none: 'SELECT * FROM in_one EXCEPT DISTINCT SELECT id FROM everything',
  of_everything: 'SELECT id AS edge_logs FROM everything',
  shadowed: 'WITH edge_logs AS (SELECT id FROM everything) SELECT id FROM edge_logs',
  unread: 'WITH mine AS (SELECT * FROM edge_logs) SELECT t.id FROM logs.edge_logs AS t',
};
const kept = ['edge_logs', 'of_entry', 'of_entries', 'in_subquery', 'in_letters', 'in_both', 'around'];

let analyzer: Analyzer;
let folder: string;
let tables: readonly EndpointTable[];

beforeAll(async () => {
  analyzer = await Analyzer.start();
  folder = await mkdtemp(path.join(tmpdir(), 'bound-tables-'));
  const settings =
    '/*\nid: 00000000-0000-4000-8000-000000000001\nname: a\nsandbox: true\nparameters: {project: {}}\n*/';
  const clause = Object.entries(entries).map(([name, query]) => `${name} AS (${query})`);
  await writeFile(
    path.join(folder, 'a.sql'),
    `${settings}\nWITH ${clause.join(',\n')}\nSELECT id FROM edge_logs`,
  );
  const planner = new LocalPlanner(analyzer);
  const loaded = await loadEndpoints(folder, {
    planText: (text) => planner.planText(text),
    catalog,
    checkPlan: async () => {},
  });
  expect(loaded.problems).toEqual([]);
  tables = loaded.endpoints[0]?.tables ?? [];
});
afterAll(async () => {
  await analyzer?.close();
  await rm(folder, { recursive: true });
});

test.each(Object.keys(entries))(
  'a bound key reads %s only if its rows depend on what it is bound to',
  (name) => {
    const table = tables.find((each) => each.name === name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    for (const bounds of [{ projects: new Set(['a']) }, { pins: new Map([['project', 'a']]) }]) {
      const read = () => authoriseTables(bounds, [table]);
      if (kept.includes(name)) expect(read).not.toThrow();
      else expect(read).toThrow('depend');
    }
    authoriseTables({}, [table]);
  },
);
