/** The files of endpoints whose WITH clauses are hard on whoever puts a query behind them. By name. */
export const storedQueries: Readonly<Record<string, string>> = {
  // Names that must be quoted, a comment behind an entry, brackets and quotes in comments and literals.
  odd: `/*
id: 00000000-0000-4000-8000-000000000001
name: odd
sandbox: true
parameters:
  project: {required: true}
*/
WITH
own AS (SELECT id, event_message FROM logs.edge_logs WHERE project = @project), -- ) closing
\`weird name\` AS (SELECT id AS Renamed, ')' AS bracket FROM own /* ( */),
\`a.b\` AS (SELECT 1 AS x),
\`select\` AS (SELECT 2 AS x), # last
pairs AS (SELECT * FROM own JOIN \`weird name\` AS w ON w.Renamed = own.id),
logs AS (SELECT [1] AS edge_logs, [2] AS billing_records),
\`édge\` AS (SELECT '𝄞' AS x)
SELECT id FROM own ORDER BY id LIMIT 1 -- the end`,

  recursive: `/*
id: 00000000-0000-4000-8000-000000000002
name: recursive
sandbox: true
parameters:
  project: {required: true}
*/
WITH RECURSIVE
late AS (SELECT n FROM counter),
counter AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM counter WHERE n < 4),
own AS (SELECT id FROM logs.edge_logs WHERE project = @project)
SELECT n FROM late`,

  // CTEs called as physical tables are, one on top of the other.
  layers: `/*
id: 00000000-0000-4000-8000-000000000003
name: layers
maxRows: 2
sandbox: true
parameters:
  project: {required: true}
*/
WITH billing_records AS (SELECT id FROM logs.edge_logs WHERE project = @project),
edge_logs AS (SELECT id FROM billing_records),
auth_logs AS (SELECT 'never read' AS id FROM logs.auth_logs WHERE project = @project)
SELECT id FROM edge_logs`,

  bare: `/*
id: 00000000-0000-4000-8000-000000000004
name: bare
sandbox: true
parameters:
  project: {required: true}
*/
SELECT id FROM logs.edge_logs WHERE project = @project`,

  closed: `/*
id: 00000000-0000-4000-8000-000000000005
name: closed
parameters:
  project: {required: true}
*/
WITH own AS (SELECT id FROM logs.edge_logs WHERE project = @project) SELECT id FROM own`,
};
