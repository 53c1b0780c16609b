import { afterAll, beforeAll, expect, test } from 'vitest';
import { shownFile } from '../../src/base/system/shown-file.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace?.remove());

const columns = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Files are named as seen from the working folder: here, as seen from the folder of the test. */
function fromFolder(text: string, folder: Workspace): string {
  return text.replaceAll(`${shownFile(folder.path('.'))}/`, '');
}

async function check(files: Record<string, string>) {
  const folder = await Workspace.create();
  try {
    await folder.write('sources/good.json', JSON.stringify(columns));
    for (const [file, text] of Object.entries(files)) await folder.write(file, text);
    const { code, stdout, stderr } = await folder.run(['check']);
    return { code, out: stdout, lines: fromFolder(stderr, folder).trimEnd().split('\n') };
  } finally {
    await folder.remove();
  }
}

test('check describes parameters and result columns without any data', async () => {
  const sql = `/*
id: ${uuid(1)}
name: recent
parameters:
  since: {type: TIMESTAMP, required: true}
  unit: {values: [hour, day]}
*/
SELECT id, [STRUCT(timestamp AS t, 1.5 AS n)] AS list, 'x' FROM logs.good
WHERE timestamp > @since AND @unit IS NOT NULL
`;
  const { code, out, lines } = await check({ 'endpoints/recent.sql': sql });
  expect(lines).toEqual(['']);
  expect(out.replace(/\S+\/endpoints/, 'endpoints')).toBe(`recent  ${uuid(1)}  endpoints/recent.sql
  parameter since TIMESTAMP (required)
  parameter unit STRING (optional; one of hour, day)
  column id STRING
  column list ARRAY<STRUCT<t TIMESTAMP, n FLOAT64>>
  column f0_ STRING

1 endpoint, 1 source: no errors
`);
  expect(code).toBe(0);
});

test('check reports every error of every file at once, with its place', async () => {
  const settings = (n: number, more = '') => `/*\nid: ${uuid(n)}\nname: e${n}\n${more}*/\n`;
  const { code, lines } = await check({
    'endpoints/column.sql': `${settings(1)}SELECT id,\n  wrong\nFROM logs.good\n`,
    'endpoints/duplicate-id.sql': `/*\nname: e2\nid: ${uuid(1)}\n*/\nSELECT 1\n`,
    'endpoints/duplicate-name.sql': `/*\nid: ${uuid(3)}\nname: e1\n*/\nSELECT 1\n`,
    'endpoints/function.sql': `${settings(4)}SELECT SESSION_USER()\n`,
    'endpoints/no-settings.sql': 'SELECT 1\n',
    'endpoints/parameters.sql': `${settings(5, 'parameters:\n  unused: {}\n')}SELECT @missing\n`,
    'endpoints/settings.sql': `${settings(6, 'maxRows: 0\ncolour: red\nparameters:\n  n: {type: INT65}\n')}SELECT @n, wrong\n`,
    'endpoints/syntax.sql': `${settings(7)}SELECT FROM\n`,
    'endpoints/table.sql': `${settings(8)}SELECT 1 FROM logs.nope\n`,
    'endpoints/yaml.sql': `/*\nid: [\n*/\nSELECT 1\n`,
    'sources/syntax.json': '[{"name": "id",}]',
    'sources/type.json': JSON.stringify([...columns, { name: 'x', type: 'TEXT' }], undefined, 1),
  });
  expect(lines).toEqual([
    expect.stringMatching(/^endpoints\/column\.sql:6:3: .*wrong/),
    expect.stringMatching(/^endpoints\/duplicate-id\.sql:3:1: .*column\.sql.*/),
    expect.stringMatching(/^endpoints\/duplicate-name\.sql:3:1: .*column\.sql.*"e1"/),
    expect.stringMatching(/^endpoints\/function\.sql:5:\d+: .*session_user/i),
    expect.stringMatching(/^endpoints\/no-settings\.sql:1:1: No settings/),
    expect.stringMatching(/^endpoints\/parameters\.sql:5:3: .*"unused"/),
    expect.stringMatching(/^endpoints\/parameters\.sql:7:8: .*"missing"/),
    expect.stringMatching(/^endpoints\/settings\.sql:4:10: .*maxRows/),
    expect.stringMatching(/^endpoints\/settings\.sql:5:1: Unknown key "colour"/),
    expect.stringMatching(/^endpoints\/settings\.sql:7:13: .*type/),
    expect.stringMatching(/^endpoints\/settings\.sql:9:12: .*wrong/),
    expect.stringMatching(/^endpoints\/syntax\.sql:5:8: Syntax error/),
    expect.stringMatching(/^endpoints\/table\.sql:5:15: .*logs\.nope/),
    expect.stringMatching(/^endpoints\/yaml\.sql:\d+:\d+: Settings/),
    expect.stringMatching(/^sources\/syntax\.json:1:16: not JSON/),
    expect.stringMatching(/^sources\/type\.json:\d+:\d+: x: "TEXT"/),
    '16 errors',
  ]);
  expect(code).toBe(1);
});

test('check reports columns that the store lacks, as serving does', async () => {
  const { code, lines } = await check({
    'endpoints/a.sql': `/*\nid: ${uuid(1)}\nname: a\n*/\nSELECT list.span FROM logs.wide\n`,
    'sources/wide.json': `[{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "TIMESTAMP"},
  {"name": "list", "type": "RECORD", "fields": [
    {"name": "span", "type": "INTERVAL"}]},
  {"name": "RowId", "type": "INTEGER"}]`,
  });
  expect(lines).toEqual([
    'sources/wide.json:3:5: wide: the column list.span is of type INTERVAL, which the embedded store lacks',
    "sources/wide.json:4:3: wide: the column RowId has the name that the embedded store has for a row's place",
    '2 errors',
  ]);
  expect(code).toBe(1);
});

test('check refuses an endless name in time', async () => {
  const sql = `/*\nid: ${uuid(1)}\nname: long\n*/\nSELECT ${'a'.repeat(70_000)} FROM logs.good\n`;
  const { code, lines } = await check({ 'endpoints/long.sql': sql });
  expect(lines).toEqual([expect.stringMatching(/^endpoints\/long\.sql:5:8: .*70000/), '1 error']);
  expect(code).toBe(1);
});

test('check finds folders that are missing or empty', async () => {
  const missing = { ENDPOINTS_DIR: workspace.path('nowhere'), SOURCES_DIR: workspace.path('neither') };
  const { code, stderr } = await workspace.run(['check'], missing);
  expect(stderr.split('\n')).toEqual([
    `${shownFile(missing.SOURCES_DIR)}:1:1: cannot be read (no such file or directory); SOURCES_DIR names this folder`,
    `${shownFile(missing.ENDPOINTS_DIR)}:1:1: cannot be read (no such file or directory); ENDPOINTS_DIR names this folder`,
    '2 errors',
    '',
  ]);
  expect(code).toBe(1);
  const empty = await workspace.run(['check']);
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('endpoints:1:1: No endpoints') });
});

test('check leaves no process and no file behind', async () => {
  await workspace.run(['check']);
  expect(await workspace.analyzers()).toEqual([]);
  expect(await workspace.temporaryFiles()).toEqual([]);
});

test('check warns of endpoints that read every row of a source, and succeeds', async () => {
  const endpoint = (n: number, sql: string) =>
    `/*\nid: ${uuid(n)}\nname: e${n}\nparameters: {t: {type: TIMESTAMP}}\n*/\n${sql}\n`;
  const used = '@t IS NOT NULL';
  const { code, lines } = await check({
    'sources/things.json': JSON.stringify([{ name: 'id', type: 'STRING' }]),
    'sources/days.json': JSON.stringify({ fields: columns, wildcard: 'DAY' }),
    'sources/required.json': JSON.stringify({ fields: columns, requireTimeBound: true }),
    'endpoints/all.sql': endpoint(
      1,
      `SELECT count(*) AS n\nFROM logs.good AS a JOIN logs.good AS b USING (id) WHERE ${used}`,
    ),
    'endpoints/bounded.sql': endpoint(2, 'SELECT id FROM logs.good WHERE timestamp >= @t'),
    'endpoints/failing.sql': endpoint(
      3,
      'SELECT id FROM logs.good WHERE CAST(id AS INT64) > 0 AND timestamp < @t',
    ),
    'endpoints/newest.sql': endpoint(
      4,
      `SELECT id FROM logs.good WHERE ${used} ORDER BY timestamp DESC LIMIT 5`,
    ),
    'endpoints/others.sql': endpoint(
      5,
      `SELECT id FROM logs.things WHERE ${used} UNION ALL SELECT id FROM \`logs.days_*\` UNION ALL SELECT id FROM logs.required`,
    ),
    'endpoints/half.sql': endpoint(
      6,
      'SELECT id FROM logs.good WHERE timestamp >= @t UNION ALL SELECT id FROM logs.good',
    ),
  });
  expect([code, ...lines]).toEqual([
    0,
    'endpoints/all.sql:7:6: warning: e1 reads every row of logs.good: it has no bound of "timestamp"',
    'endpoints/half.sql:6:73: warning: e6 reads every row of logs.good: it has no bound of "timestamp"',
  ]);
});
