import { readdir, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { inProcess } from './support/in-process.ts';

const scalars = [
  'STRING',
  'BYTES',
  'INTEGER',
  'FLOAT',
  'NUMERIC',
  'BOOLEAN',
  'DATE',
  'TIME',
  'DATETIME',
  'TIMESTAMP',
  'JSON',
];
const values: Readonly<Record<string, readonly string[]>> = {
  STRING: ['"a\\n\\"b\\" \\u0000 \\u2028 ä 😀"', '""', '"null"'],
  BYTES: ['"AAH/"', '""'],
  INTEGER: ['-9223372036854775808', '9223372036854775807', '0'],
  FLOAT: ['"NaN"', '"Infinity"', '"-Infinity"', '-0.0', '1e-300', '0.1'],
  NUMERIC: ['"99999999999999999999999999999.999999999"', '"-0.000000001"', '"0"'],
  BOOLEAN: ['true', 'false'],
  DATE: ['"0001-01-01"', '"9999-12-31"'],
  TIME: ['"00:00:00"', '"23:59:59.999999"'],
  DATETIME: ['"0001-01-01T00:00:00"', '"9999-12-31T23:59:59.999999"'],
  TIMESTAMP: [
    '"0001-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59.999999Z"',
    '"1970-01-01T00:00:00.000001Z"',
    '"1969-12-31T23:59:59.999999Z"',
  ],
  JSON: ['{"a":[1,2.5,null,"x"],"b":{"c":12345678901234567890}}', '"text"', '"1"', '1', '[]', 'true'],
};

let workspace: Workspace;
let gateway: Gateway;

const instant = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

beforeAll(async () => {
  workspace = await Workspace.create();
  const record = { name: 'r', type: 'RECORD', fields: scalars.map((type) => ({ name: `r_${type}`, type })) };
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    ...scalars.map((type) => ({ name: `one_${type}`, type })),
    ...scalars.map((type) => ({ name: `many_${type}`, type, mode: 'REPEATED' })),
    record,
    { ...record, name: 'rs', mode: 'REPEATED' },
  ];
  await workspace.write('sources/typed.json', JSON.stringify({ fields, aliases: ['typed.alias'] }));
  const lines: string[] = [];
  const add = (members: string) =>
    lines.push(`{"id":"${lines.length}","timestamp":"${instant((lines.length * 7) % 20)}"${members}}\n`);
  add('');
  for (const type of scalars) {
    for (const value of values[type] ?? []) {
      add(`,"one_${type}":${value},"r":{"r_${type}":${value}},"rs":[{"r_${type}":${value}},{}]`);
    }
    add(`,"many_${type}":[${values[type]}],"rs":[{"r_${type}":${values[type]?.[0]}}]`);
  }
  const file = await workspace.write('rows.ndjson', lines.join(''));
  await workspace.write(
    'endpoints/one.sql',
    '/*\nid: 00000000-0000-4000-8000-000000000001\nname: one\n*/\nSELECT 1 AS n\n',
  );
  gateway = await Gateway.serve(workspace);
  const imported = await workspace.run(['import', 'typed', file]);
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
});
afterAll(() => workspace?.remove());

const exported = async (args: readonly string[], settings = {}) => {
  const outcome = await workspace.run(['export', 'typed', ...args], settings);
  expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
  return outcome.stdout;
};

test('rows of all types are exported through a gateway, and imported equal from both formats', async () => {
  const text = await exported([]);
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const times = rows.map(({ timestamp, id }) => `${timestamp} ${id}`);
  expect(times).toEqual(times.toSorted());
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(40);

  for (const type of scalars) {
    const given = (values[type] ?? []).map((value) => JSON.parse(value));
    const found = rows
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map((row) => row[`one_${type}`])
      .filter((value) => value !== null);
    expect(found, type).toEqual(given);
  }

  for (const name of ['rows.export.ndjson', 'rows.export.parquet']) {
    const file = workspace.path(name);
    const outcome = await workspace.run(['export', 'typed', '--output', file]);
    expect(outcome).toMatchObject({ code: 0, stdout: '', stderr: `exported ${rows.length} rows of typed\n` });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const other = { DATA_DIR: workspace.path(`${name}.data`) };
    const imported = await workspace.run(['import', 'typed', file], other);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    // Without a gateway, from the store itself.
    expect(await exported([], other)).toBe(text);
  }
  expect((await readFile(workspace.path('rows.export.parquet'))).subarray(0, 4).toString()).toBe('PAR1');
});

test('a range of time has its first instant, and not its last', async () => {
  const range = ['--from', instant(5), '--to', instant(15)];
  const text = await exported(range);
  const times = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).timestamp);
  expect(new Set(times)).toEqual(
    new Set(Array.from({ length: 10 }, (_, n) => instant(5 + n).replace('.000', ''))),
  );
  expect(await exported(['--from', '2026-01-02'])).toBe('');
  const alias = await workspace.run(['export', 'typed.alias', ...range]);
  expect(alias.stdout).toBe(text);
});

test('what cannot be exported is told', async () => {
  const explain = async (args: readonly string[], settings = {}, expected = 2) => {
    const { code, stdout, stderr } = await inProcess(['export', ...args], {
      ...workspace.environment,
      ...settings,
    });
    expect([code, stdout]).toEqual([expected, '']);
    return stderr;
  };
  expect(await explain(['none'])).toBe('Unknown source "none". Available: typed\n');
  expect(await explain(['typed', '--from', '2026-02-01', '--to', '2026-01-01'])).toBe(
    '--from 2026-02-01 must be before --to 2026-01-01.\n',
  );
  expect(await explain(['typed', '--output', 'rows.tsv'])).toBe(
    'rows.tsv: rows are exported as ndjson, csv, parquet, arrow. Choose another name, or say --format.\n',
  );
  expect(await explain(['typed', '--from', 'yesterday'])).toBe(
    '--from yesterday: expected a time, such as 2026-11-20 or 2026-11-20T08:30:00Z\n',
  );
  expect(await explain(['typed'], { DATA_DIR: workspace.path('nothing') }, 1)).toMatch(/^There is no store/);
  const kept = await workspace.write('kept', 'mine');
  expect(await explain(['typed', '--output', kept], {}, 1)).toMatch(/kept exists\./);
  expect(await readFile(kept, 'utf8')).toBe('mine');
  expect((await readdir(workspace.root)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('only unrestricted keys with the scope admin may export over HTTP', async () => {
  const call = (key: string | undefined, query = '') =>
    gateway.call(`/api/sources/typed/export${query}`, key === undefined ? {} : { key });
  expect((await call(undefined)).status).toBe(200);
  expect((await call(undefined, '?format=csv')).status).toBe(400);
  expect((await call(undefined, '?from=x')).status).toBe(400);
  expect((await call(undefined, '?from=2026-11-01&from=2026-11-02')).status).toBe(400);
  expect((await gateway.call('/api/sources/none/export')).status).toBe(404);
  let keys = 0;
  const keyWith = (options: object) => gateway.createKey({ name: `key${keys++}`, ...options });
  expect((await call(await keyWith({ scopes: ['query', 'write'] }))).status).toBe(403);
  expect((await call(await keyWith({ scopes: ['admin'], projects: ['a'] }))).status).toBe(403);
  expect((await call(await keyWith({ scopes: ['admin'], redact: true }))).status).toBe(403);
  const hold = await gateway.call('/api/store/hold', {
    method: 'POST',
    key: await keyWith({ scopes: ['write'] }),
  });
  expect(hold.status).toBe(403);
});
