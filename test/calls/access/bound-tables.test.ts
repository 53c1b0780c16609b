import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authoriseTables } from '../../../src/calls/access/authorise.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import type { EndpointTable } from '../../../src/definitions/endpoints/endpoint.ts';
import { loadEndpoints } from '../../../src/definitions/endpoints/load-endpoints.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';

const columns = ['id', 'project'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
const catalog: Catalog = { tables: [{ path: ['logs', 'edge_logs'], columns }] };

const all = 'SELECT t.id FROM logs.edge_logs AS t';

/** Entries with the names of sources, columns and each other, as endpoints have them: each row depends on the parameter. */
const kept = {
  edge_logs: 'SELECT t.id, t.project FROM logs.edge_logs AS t WHERE t.project = @project',
  of_entry: 'SELECT id FROM edge_logs',
  of_entries: 'WITH edge_logs AS (SELECT 1 AS id) SELECT e.id FROM edge_logs AS e, of_entry AS o',
  in_subquery: `${all} WHERE t.id IN (SELECT id FROM of_entry)`,
  in_letters: `${all} WHERE t.project = @Project`,
  in_both: `SELECT id FROM edge_logs UNION ALL ${all} WHERE t.project = @project`,
  around:
    'SELECT * FROM (SELECT * FROM edge_logs UNION ALL SELECT * FROM everything) WHERE project = @project',
  of_function: `${all} WHERE LOWER(t.project) = LOWER(CAST(@project AS STRING))`,
  of_hash: `${all} WHERE t.project = TO_HEX(SHA256(CONCAT(@project, 'salt')))`,
  in_list: `${all} WHERE @project IN (t.project, t.id)`,
  in_array: `${all} WHERE t.project IN UNNEST([@project])`,
  in_parts: `${all} WHERE t.project IN UNNEST(SPLIT(@project, ','))`,
  in_elements: `${all} WHERE EXISTS (SELECT 1 FROM UNNEST(SPLIT(t.project, ',')) AS p WHERE p = @project)`,
  in_joined_elements: `SELECT t.id FROM logs.edge_logs AS t, UNNEST(SPLIT(t.project, ',')) AS p WHERE p = @project`,
  in_pattern: `${all} WHERE REGEXP_CONTAINS(t.project, @project)`,
  both_branches: `${all} WHERE t.project = @project OR (t.id = @project AND t.project = 'x')`,
  or_null: `${all} WHERE @project IS NULL OR t.project = @project`,
  or_empty: `${all} WHERE COALESCE(@project, '') = '' OR t.project = @project`,
  or_default: `${all} WHERE t.project = IFNULL(@project, t.project)`,
  by_case: `${all} WHERE CASE WHEN IFNULL(@project, '') = '' THEN TRUE ELSE t.project = @project END`,
  by_if: `${all} WHERE IF(@project IS NULL, TRUE, t.project = @project)`,
  negated_too: `${all} WHERE t.project = @project AND NOT EXISTS (SELECT 1 FROM everything AS e WHERE e.id = t.id)`,
  with_values: `SELECT t.id FROM (SELECT @project AS p) AS given, logs.edge_logs AS t WHERE t.project = given.p`,
  by_value: `${all} WHERE t.project = (SELECT @project)`,
  in_join: 'SELECT t.id FROM logs.edge_logs AS t JOIN of_entry AS o ON o.id = t.id',
  in_using: 'SELECT id FROM logs.edge_logs JOIN of_entry USING (id)',
  of_left: 'SELECT t.id, e.project FROM of_entry AS t LEFT JOIN everything AS e ON e.id = t.id',
  of_right: 'SELECT t.id, e.project FROM everything AS e RIGHT JOIN of_entry AS t USING (id)',
  after_left:
    'SELECT t.id FROM everything AS t LEFT JOIN everything AS e ON e.id = t.id WHERE e.project = @project',
  full_of_both: 'SELECT a.id FROM edge_logs AS a FULL JOIN of_entry AS b ON FALSE',
  exists_correlated: `${all} WHERE EXISTS (SELECT 1 FROM of_entry AS o WHERE o.id = t.id)`,
  exists_outer: `${all} WHERE EXISTS (SELECT 1 FROM (SELECT 1) WHERE t.project = @project)`,
  by_scalar: `${all} WHERE t.id = (SELECT id FROM of_entry LIMIT 1)`,
  in_select:
    'SELECT (SELECT e.project FROM everything AS e WHERE e.id = o.id LIMIT 1) AS p FROM of_entry AS o',
  counted: 'SELECT COUNT(*) AS n FROM edge_logs',
  by_having: 'SELECT project, COUNT(*) AS n FROM logs.edge_logs GROUP BY project HAVING project = @project',
  by_qualify:
    'SELECT id, ROW_NUMBER() OVER (PARTITION BY project ORDER BY id) AS n FROM logs.edge_logs WHERE TRUE QUALIFY project = @project',
  ranked: 'SELECT id FROM edge_logs WHERE TRUE QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1',
  newest: 'SELECT DISTINCT id FROM (SELECT * FROM edge_logs ORDER BY id LIMIT 5)',
  intersected: 'SELECT id FROM everything INTERSECT DISTINCT SELECT id FROM edge_logs',
  without: 'SELECT id FROM edge_logs EXCEPT DISTINCT SELECT id FROM everything',
  or_constant: "SELECT id FROM edge_logs UNION ALL SELECT 'none'",
  children: `SELECT id FROM edge_logs UNION ALL SELECT e.id FROM children AS f JOIN everything AS e ON e.project = f.id`,
  constant: 'SELECT 1 AS one',
};
/** Entries with rows that don't. */
const refused = {
  everything: 'SELECT t.id, t.project FROM logs.edge_logs AS t',
  in_one: `SELECT id FROM edge_logs UNION ALL ${all}`,
  in_none: 'SELECT * FROM in_one EXCEPT DISTINCT SELECT id FROM everything',
  of_everything: 'SELECT id AS edge_logs FROM everything',
  shadowed: 'WITH edge_logs AS (SELECT id FROM everything) SELECT id FROM edge_logs',
  unread: `WITH mine AS (SELECT * FROM edge_logs) ${all}`,
  in_columns: 'SELECT t.*, @project AS p FROM logs.edge_logs AS t',
  computed: 'SELECT id FROM (SELECT id, @project AS p FROM logs.edge_logs) WHERE p = @project',
  in_case:
    "SELECT CASE WHEN t.project = @project THEN t.id ELSE '' END AS id, t.project FROM logs.edge_logs AS t",
  in_order: `${all} ORDER BY t.project = @project`,
  in_limit: `SELECT id FROM (${all} ORDER BY t.id = @project LIMIT 5)`,
  in_left: `${all} LEFT JOIN (SELECT id FROM edge_logs WHERE project = @project) AS j ON j.id = t.id`,
  in_right: `SELECT t.id FROM edge_logs AS j RIGHT JOIN logs.edge_logs AS t ON j.id = t.id`,
  in_full: 'SELECT t.id FROM logs.edge_logs AS t FULL JOIN edge_logs AS j ON j.id = t.id',
  in_on: `${all} LEFT JOIN everything AS e ON t.project = @project`,
  beside: `${all} CROSS JOIN of_entry`,
  beside_left: 'SELECT e.id FROM of_entry AS o LEFT JOIN everything AS e ON TRUE',
  beside_unequal: `${all} JOIN of_entry AS o ON o.id != t.id`,
  or_exists: `${all} WHERE t.project = 'x' OR EXISTS (SELECT 1 FROM edge_logs)`,
  exists_somewhere: `${all} WHERE EXISTS (SELECT 1 FROM edge_logs)`,
  exists_total: `${all} WHERE EXISTS (SELECT COUNT(*) FROM edge_logs AS e WHERE e.id = t.id)`,
  exists_left: `${all} WHERE EXISTS (SELECT 1 FROM (SELECT 1) LEFT JOIN edge_logs AS e ON e.id = t.id)`,
  not_exists: `${all} WHERE NOT EXISTS (SELECT 1 FROM edge_logs AS e WHERE e.id = t.id)`,
  not_in: `${all} WHERE t.id NOT IN (SELECT id FROM edge_logs)`,
  not_in_list: `${all} WHERE t.project NOT IN (@project, 'x')`,
  in_mixed_list: `${all} WHERE t.project IN (@project, 'x')`,
  other_value: `${all} WHERE t.project != @project`,
  negated: `${all} WHERE NOT (t.project = @project)`,
  distinct_from: `${all} WHERE t.project IS DISTINCT FROM @project`,
  at_least: `${all} WHERE t.project >= @project`,
  with_prefix: `${all} WHERE STARTS_WITH(t.project, @project)`,
  not_null: `${all} WHERE @project IS NOT NULL`,
  itself: `${all} WHERE @project = @project`,
  or_true: `${all} WHERE TRUE OR t.project = @project`,
  or_other_null: `${all} WHERE @other IS NULL OR t.project = @project`,
  by_other: `${all} WHERE t.project = CONCAT(@other, @project)`,
  or_other_default: `${all} WHERE t.project = IFNULL(@other, @project)`,
  or_column: `${all} WHERE COALESCE(t.project, @project) = @project`,
  is_false: `${all} WHERE (t.project = @project) = FALSE`,
  by_length: `${all} WHERE LENGTH(t.project) = LENGTH(@project)`,
  in_case_else: `${all} WHERE CASE WHEN t.project = @project THEN TRUE ELSE TRUE END`,
  in_count: 'SELECT project, COUNTIF(project = @project) AS n FROM logs.edge_logs GROUP BY project',
  by_group: 'SELECT @project AS p, MAX(id) AS id FROM logs.edge_logs GROUP BY p',
  by_total: 'SELECT MAX(id) AS id FROM logs.edge_logs HAVING MAX(project) = @project',
  in_window: 'SELECT id, COUNT(*) OVER (PARTITION BY project = @project) AS n FROM logs.edge_logs',
  after_window:
    'SELECT before FROM (SELECT project, LAG(id) OVER (ORDER BY id) AS before FROM logs.edge_logs) WHERE project = @project',
  selected: 'SELECT o.id, (SELECT MAX(e.id) FROM everything AS e) AS other FROM of_entry AS o',
  selected_array: 'SELECT o.id, ARRAY(SELECT e.id FROM everything AS e) AS others FROM of_entry AS o',
  unnested: 'SELECT e FROM UNNEST(ARRAY(SELECT id FROM everything)) AS e',
  beside_elements: `${all}, UNNEST([@project]) AS p`,
  except_mine: 'SELECT id FROM everything EXCEPT DISTINCT SELECT id FROM edge_logs',
  rolled_up:
    'SELECT project FROM (SELECT project FROM logs.edge_logs GROUP BY ROLLUP(project)) WHERE project = @project',
  descendants: `SELECT id FROM edge_logs UNION ALL SELECT e.id FROM descendants AS f CROSS JOIN everything AS e`,
};
const entries = { ...refused, ...kept };

let analyzer: Analyzer;
let folder: string;
let tables: readonly EndpointTable[];

beforeAll(async () => {
  analyzer = await Analyzer.start();
  folder = await mkdtemp(path.join(tmpdir(), 'bound-tables-'));
  const settings =
    '/*\nid: 00000000-0000-4000-8000-000000000001\nname: a\nsandbox: true\nparameters: {project: {}, other: {}}\n*/';
  const clause = Object.entries(entries).map(([name, query]) => `${name} AS (${query})`);
  await writeFile(
    path.join(folder, 'a.sql'),
    `${settings}\nWITH RECURSIVE ${clause.join(',\n')}\nSELECT id FROM edge_logs`,
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
      if (name in kept) expect(read).not.toThrow();
      else expect(read).toThrow('depend');
    }
    authoriseTables({}, [table]);
  },
);

test('a key that is pinned to the empty text, which may mean any, reads none of the tables', () => {
  for (const table of tables) {
    expect(() => authoriseTables({ pins: new Map([['project', '']]) }, [table]), table.name).toThrow(
      'depend',
    );
  }
});
