import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseFilter } from '../../src/cli/test/options.ts';
import { CapturedOutput } from './support/captured-output.ts';
import { EndpointTestFolder } from './support/endpoint-test-folder.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const source = JSON.stringify([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'shop', type: 'STRING' },
  { name: 'items', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'n', type: 'INT64' }] },
]);

const recent = `/*
id: ${uuid(1)}
name: recent
maxRows: 3
sandbox: true
redactPii: true
parameters:
  shop: {}
  unit: { values: [hour, day] }
  newest: { type: BOOL, default: false }
*/
WITH events AS (
  SELECT id, timestamp, shop, items FROM logs.events
  WHERE (@shop IS NULL OR shop = @shop)
    AND timestamp > CASE @unit
      WHEN 'hour' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
      WHEN 'day' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)
      ELSE IF(@newest, CURRENT_TIMESTAMP(), TIMESTAMP '2000-01-01')
    END
)
SELECT id, timestamp, shop, items FROM events ORDER BY id
`;

const head = `now: 2026-11-20T12:00:00Z
timestamps: iso
rows:
  events:
    - { id: a, timestamp: 2026-11-20T11:30:00Z, shop: north, items: [{ n: 1 }] }
    - { id: b, timestamp: 2026-11-20T02:00:00Z, shop: 10.0.0.1, items: [{ n: 1 }, { n: 12345678901234567 }] }
`;

let folder: EndpointTestFolder;
beforeAll(async () => {
  folder = await EndpointTestFolder.create({ 'sources/events.json': source, 'endpoints/recent.sql': recent });
});
afterAll(() => folder?.remove());

/** Runs cases of the endpoint `recent`. */
async function run(cases: string, options: Parameters<EndpointTestFolder['run']>[0] = {}) {
  await folder.write({ 'endpoints/recent.test.yaml': `${head}cases:\n${cases}` });
  return folder.run(options);
}

describe('cases', () => {
  test('answer as REST does: rendered, redacted, truncated, by the held clock', async () => {
    const { code, out } = await run(`
  - name: all rows, with digits and redacted
    expect:
      rows:
        - { id: a, timestamp: 2026-11-20T11:30:00Z, shop: north, items: [{ n: 1 }] }
        - { id: b, timestamp: 2026-11-20T02:00:00Z, shop: REDACTED, items: [{ n: 1 }, { n: 12345678901234567 }] }
  - name: the clock
    parameters: { unit: hour }
    expect: { rows: [{ id: a }], partial: true }
  - name: another clock
    now: 2026-11-20T12:30:00Z
    parameters: { unit: hour }
    expect: { empty: true }
  - name: rows of its own
    rows: { events: [{ id: x, timestamp: 2026-11-20T00:00:00Z }] }
    expect: { rows: [{ id: x, timestamp: 2026-11-20T00:00:00Z, shop: null, items: [] }] }
  - name: further rows
    addRows:
      events:
        - { id: c, timestamp: 2026-11-20T00:00:00Z }
        - { id: d, timestamp: 2026-11-20T00:00:00Z }
    expect: { count: 3, truncated: true, excludes: [{ id: d }] }
  - name: none of the rows of other cases
    expect: { count: 2, truncated: false }
  - name: no rows
    rows: { events: [] }
    expect: { empty: true, columns: [id, timestamp, shop, items] }
  - name: a refused value
    parameters: { unit: week }
    expect: { error: { code: BAD_USER_INPUT, parameter: unit, message: hour, } }
  - name: SQL
    sql: SELECT COUNT(*) AS n FROM events
    expect: { rows: [{ n: 2 }] }
  - name: LQL
    lql: f:events s:shop m.shop:north
    parameters: { unit: day }
    expect: { error: { code: BAD_USER_INPUT, parameter: lql } }
  - name: SQL over other tables
    sql: SELECT * FROM logs.events
    expect: { error: { code: SANDBOX_VIOLATION } }
  - name: later
    skip: not yet
    expect: { count: 99 }
`);
    expect(out).toMatch(/11 passed, 1 skipped \(12 cases in 1 file, N s\)\n$/);
    expect(code).toBe(0);
  });

  test('report what they cover', async () => {
    const { out, code, err } = await run(
      `
  - name: one
    parameters: { unit: hour, newest: true }
    expect: { contains: [{ id: a }] }
  - name: two
    parameters: { shop: '' }
    expect: { contains: [{ shop: north }] }
  - name: the branch in the branch
    parameters: { newest: true }
    sql: SELECT id FROM events
    expect: { empty: true }
  - name: refused
    parameters: { unit: week, newest: false }
    expect: { error: { code: BAD_USER_INPUT } }
`,
      { minCoverage: 71 },
    );
    expect(out.slice(out.indexOf('Coverage'))).toBe(`Coverage  Parameters  Branches  Columns   All
recent           6/8       4/5      2/4  70 %

Not covered of recent:
  parameter unit = day
  parameter newest = false
  branch CASE @unit: WHEN 'day' (line 15)
  column timestamp
  column items
`);
    expect({ code, err }).toEqual({ code: 1, err: 'Coverage is 70 %, less than 71 %\n' });
  });

  test('are chosen by a text or a pattern', async () => {
    const cases = ['Orders', 'orders of shops', 'shops'].map(
      (name) => `  - name: ${name}\n    expect: { count: 2 }\n`,
    );
    const names = async (filter: string) => {
      const { out } = await run(cases.join(''), { filter });
      return [...out.matchAll(/✓ (.*) \(N/g)].map(([, name]) => name);
    };
    expect(await names('/^orders/i')).toEqual(['Orders', 'orders of shops']);
    expect(caseFilter('orders')({ name: 'All Orders' })).toBe(true);
    expect(caseFilter('/^o./g')({ name: 'Orders' })).toBe(false);
    expect(await folder.run({ filter: 'nothing' })).toMatchObject({
      code: 1,
      err: '--filter nothing: no case has such a name\n',
    });
  });

  test('are updated only where rows are expected', async () => {
    const cases = `
  - name: rows # why
    sql: SELECT id FROM events
    expect:
      rows: []
  - name: a count
    expect: { count: 7 }
  - name: an error
    expect: { error: { code: QUERY_FAILED } }
  - name: a call that fails
    parameters: { unit: week }
    expect: { rows: [] }
`;
    const { code, out } = await run(cases, { update: true });
    expect(code).toBe(1);
    expect(out).toContain('✓ rows (updated)');
    expect(out).toMatch(/3 failed, 1 updated/);
    const written = await readFile(path.join(folder.folder, 'endpoints/recent.test.yaml'), 'utf8');
    expect(written).toBe(
      `${head}cases:\n${cases.replace('rows: []', 'rows:\n        - { id: a }\n        - { id: b }')}`,
    );
  });

  test('end at once when they are interrupted', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(run('  - name: one\n    expect: { count: 2 }\n', { signal: stopped })).rejects.toThrow(
      'stopped',
    );
  });
});

describe('errors in files', () => {
  test('have their places, and no case of the file runs', async () => {
    await folder.write({
      'fixtures/bad.csv': 'id,timestamp,shop\n1,2026-11-20T00:00:00Z,x\n2,never,x\n',
    });
    const { code, out } = await run(`
  - name: one
    rows:
      evens: []
      events:
        - { id: a, timestamp: 2026-11-20T00:00:00Z, shp: north }
        - { id: b, timestamp: 2026-11-20T00:00:00Z, items: [{ n: many }] }
        - { id: b }
    parameters: { shp: north }
    expect: { count: 1 }
  - name: two
    rows: { events: { file: ../fixtures/bad.csv } }
    expect: { count: 1 }
  - name: three
    rows: { events: { file: ../fixtures/none.csv } }
    expect: { count: 1 }
  - name: four
    addRows: { events: [{ id: a, timestamp: 2026-11-20T00:00:00Z }] }
    expect: { count: 1 }
`);
    expect(code).toBe(1);
    const test = 'endpoints/recent.test.yaml';
    expect(out.split('\n').map((line) => line.replace(/^ {2}✗ /, ''))).toEqual([
      test,
      `${test}:11:7: unknown source "evens". Did you mean "events"?`,
      `${test}:13:53: case 1, rows: row 1 of events: shp: unknown field`,
      `${test}:14:63: case 1, rows: row 2 of events: items[0].n: expected INT64, got "many"`,
      `${test}:15:11: case 1, rows: row 3 of events: timestamp: missing, but REQUIRED`,
      `${test}:16:19: The endpoint has no parameter "shp". Did you mean "shop"?`,
      `${test}:22:29: there is no file fixtures/none.csv`,
      `${test}:25:16: two rows have the id "a", of which an import takes the first`,
      'fixtures/bad.csv:3:1: not a row of events: timestamp: expected TIMESTAMP, got "never"',
      '',
      '8 errors (0 cases in 1 file, N s)',
      '',
    ]);
  });

  test.each([
    ['..', (secret: string, from: string) => path.relative(from, secret)],
    ['an absolute path', (secret: string) => secret],
    ['a symbolic link', () => '../fixtures/link.ndjson'],
    ['a linked folder', () => '../linked/rows.ndjson'],
  ])(
    'that name rows outside of the project by %s are refused, and nothing of them is shown',
    async (_, name) => {
      const outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
      const secret = path.join(outside, 'rows.ndjson');
      await writeFile(secret, '{"id": "a", "timestamp": "2026-11-20T00:00:00Z", "shop": "secret"}\n');
      const files = await EndpointTestFolder.create({
        'sources/events.json': source,
        'endpoints/recent.sql': recent,
        'fixtures/rows.ndjson': '',
      });
      try {
        await symlink(secret, path.join(files.folder, 'fixtures/link.ndjson'));
        await symlink(outside, path.join(files.folder, 'linked'));
        const from = path.join(files.folder, 'endpoints');
        const rows = JSON.stringify({ file: name(secret, from) });
        await files.write({
          'endpoints/recent.test.yaml': `${head}cases: [{ name: one, rows: { events: ${rows} }, expect: { count: 2 } }]`,
        });
        const { code, out } = await files.run();
        expect(code).toBe(1);
        expect(out).toContain(`: it is outside of the folder ${await realpath(files.folder)}\n`);
        expect(out).not.toContain('secret');
        expect(out).not.toContain('rows given');
      } finally {
        await files.remove();
        await rm(outside, { recursive: true });
      }
    },
  );

  test('that can not be read are reported, and other tests run', async () => {
    const files = await EndpointTestFolder.create({
      'sources/events.json': source,
      'endpoints/recent.sql': recent,
      'endpoints/recent.test.yaml': `${head}cases: [{ name: one, expect: { count: 2 } }]`,
      'endpoints/large.test.yaml': `# ${'x'.repeat(16_000_000)}`,
    });
    try {
      const at = (name: string) => path.join(files.folder, 'endpoints', name);
      await mkdir(at('folder.test.yaml'));
      await symlink('loop.test.yaml', at('loop.test.yaml'));
      await symlink('/dev/zero', at('zero.test.yaml'));
      const { code, out } = await files.run();
      expect(code).toBe(1);
      for (const [name, reason] of [
        ['folder', 'illegal operation on a directory'],
        ['loop', 'too many symbolic links encountered'],
        ['zero', `it is outside of the folder ${await realpath(files.folder)}`],
        ['large', 'it is larger than 16 MB'],
      ]) {
        expect(out).toContain(`  ✗ endpoints/${name}.test.yaml:1:1: cannot be read (${reason})\n`);
      }
      expect(out).toContain('  ✓ one (N ms)');
    } finally {
      await files.remove();
    }
  });

  test('of endpoints and sources are reported, and other tests run', async () => {
    const broken = await EndpointTestFolder.create({
      'sources/events.json': source,
      'sources/other.json': 'none',
      'endpoints/recent.sql': recent,
      'endpoints/recent.test.yaml': `${head}cases: [{ name: one, expect: { count: 2 } }]`,
      'endpoints/broken.sql': `/*\nid: ${uuid(2)}\nname: broken\n*/\nSELECT wrong FROM logs.events`,
      'endpoints/broken.test.yaml': 'cases: [{ name: one, expect: { count: 2 } }]',
      'endpoints/untested.sql': `/*\nid: ${uuid(3)}\nname: untested\n*/\nSELECT wrong`,
      'endpoints/misnamed.test.yml': '',
      'endpoints/lonely.test.yaml': 'cases: [{ name: one, expect: { count: 2 } }]',
    });
    try {
      const { code, out } = await broken.run();
      expect(code).toBe(1);
      const lines = out.split('\n');
      expect(lines).toContain('  ✗ endpoints/broken.sql:5:8: Unrecognized name: wrong');
      expect(lines).toContain(
        '  ✗ endpoints/lonely.test.yaml:1:1: There is no endpoint lonely.sql beside this file; known: broken.sql, recent.sql, untested.sql',
      );
      expect(lines).toContain('  ✓ one (N ms)');
      expect(lines).toContain('endpoints/untested.sql:5:8: Unrecognized name: wrong');
      expect(out).toContain('sources/other.json:1:1: ');
      expect(lines).toContain(
        'endpoints/misnamed.test.yml:1:1: The names of test files end in .test.yaml: rename this file',
      );
      expect(lines.at(-2)).toBe('5 errors, 1 passed (1 case in 3 files, N s)');
      expect(await broken.run({ endpoints: ['recent', 'untested'] })).toMatchObject({
        code: 1,
        err: 'untested has no tests: there is no endpoints/untested.test.yaml\n',
      });
    } finally {
      await broken.remove();
    }
  });
});

describe('rows from files', () => {
  test.each(['pipe', '.', 'a\0b'])('are in files, and %j is none', async (named) => {
    const pipe = path.join(folder.folder, 'endpoints/pipe');
    execFileSync('mkfifo', [pipe]);
    const rows = `rows: { events: { file: ${JSON.stringify(named)} } }`;
    const { code, out } = await run(`\n  - name: one\n    ${rows}\n    expect: { count: 1 }`);
    await rm(pipe);
    expect(code).toBe(1);
    expect(out).toContain(': it is not a file\n');
  });

  test.each(['blanks.ndjson.gz', 'blanks.csv.gz'])('are small, and %s is not', async (file) => {
    await folder.write({ [`fixtures/${file}`]: '' });
    const blanks = gzipSync(Buffer.alloc(65_000_000, '\n'), { level: 1 });
    await writeFile(path.join(folder.folder, 'fixtures', file), blanks);
    const rows = `rows: { events: { file: ../fixtures/${file} } }`;
    const { code, out } = await run(`\n  - name: one\n    ${rows}\n    expect: { count: 1 }`);
    expect(code).toBe(1);
    expect(out).toMatch(/recent\.test\.yaml:\d+:\d+: fixtures\/\S+: Its text is longer than 64 MB\./);
  });

  test('are NDJSON, JSON, CSV and Parquet, plain or gzip', async () => {
    const row = { id: 'a', timestamp: '2026-11-20T11:30:00Z', shop: 'north' };
    await folder.write({
      'fixtures/a.ndjson': `\uFEFF${JSON.stringify(row)}\n\n${JSON.stringify({ ...row, id: 'b' })}\n`,
      'fixtures/a.json': JSON.stringify([row, { ...row, id: 'c' }]),
      'fixtures/a.csv': 'id,timestamp,shop,items\nd,2026-11-20T11:30:00Z,north,"[{""n"":1}]"\n',
    });
    await writeFile(path.join(folder.folder, 'fixtures/a.ndjson.gz'), gzipSync(JSON.stringify(row)));
    const parquet = path.join(folder.folder, 'fixtures/a.parquet');
    const duckDb = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await duckDb.connect();
    await connection.run(
      `COPY (SELECT 'e' AS id, TIMESTAMPTZ '2026-11-20 11:30:00Z' AS timestamp, 'north' AS shop) TO '${parquet}'`,
    );
    connection.closeSync();
    duckDb.closeSync();
    const cases = ['a.ndjson', 'a.json', 'a.csv', 'a.ndjson.gz', 'a.parquet'].map(
      (file, index) =>
        `  - name: ${file}\n    rows: { events: { file: ../fixtures/${file} } }\n    expect: { count: ${[2, 2, 1, 1, 1][index]} }\n`,
    );
    expect(await run(cases.join(''))).toMatchObject({ code: 0 });
  });
});

describe('options', () => {
  test.each([
    [{ endpoints: ['recnt'] }, 'unknown endpoint "recnt". Did you mean "recent"?\n'],
    [{ filter: '/(/' }, '--filter /(/: Invalid regular expression: /(/: Unterminated group\n'],
    [
      { now: 'noon' },
      '--now noon: expected a time, such as 2026-11-20 or 2026-11-20T08:30:00Z, or an age, such as 30d or 12h\n',
    ],
    [{ dryRun: true }, '--dry-run: only with --engine bigquery\n'],
    [
      { engine: 'bigquery', dryRun: true, update: true },
      '--update: not with --dry-run, which runs nothing\n',
    ],
    [
      { engine: 'bigquery', minCoverage: 5 },
      '--min-coverage: only with the embedded engine, which knows the branches that a query takes\n',
    ],
    [{ output: 'x.xml' }, '--output: choose the format of the file by --reporter\n'],
  ] as const)('%j is wrong use', async (options, err) => {
    expect(await run('  - name: one\n    expect: { count: 2 }\n', options)).toEqual({
      code: 2,
      out: '',
      err,
    });
  });

  test('without any tests, the command says so', async () => {
    const empty = await EndpointTestFolder.create({ 'endpoints/recent.sql': recent });
    try {
      const { code, err } = await empty.run();
      expect(code).toBe(1);
      expect(err).toMatch(/^No tests: there is no <endpoint>\.test\.yaml beside the endpoints in /);
    } finally {
      await empty.remove();
    }
  });

  test('--now is the clock of cases without one, 2026 by default', async () => {
    const text = `cases:
  - name: the clock
    rows: { events: [{ id: a, timestamp: 2026-11-20T11:30:00Z }] }
    parameters: { unit: hour }
    expect: { count: 1 }
`;
    await folder.write({ 'endpoints/recent.test.yaml': text });
    expect(await folder.run({ now: '2026-11-20T13:00:00Z' })).toMatchObject({ code: 1 });
    expect(await folder.run({})).toMatchObject({ code: 0 });
  });

  test('--now may be an age', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const text = `cases:
  - name: the clock
    rows: { events: [{ id: a, timestamp: ${hoursAgo(36)} }] }
    parameters: { unit: day }
    sql: SELECT id FROM events WHERE timestamp < CURRENT_TIMESTAMP()
    expect: { count: 1 }
`;
    await folder.write({ 'endpoints/recent.test.yaml': text });
    for (const [now, code] of [
      ['2d', 1],
      ['24h', 0],
    ] as const)
      expect(await folder.run({ now })).toMatchObject({ code });
  });

  test('reports go to a file beside the default report, or to standard output alone', async () => {
    const file = path.join(folder.folder, 'report.xml');
    const cases = '  - name: one\n    expect: { count: 7 }\n';
    const both = await run(cases, {
      reporter: 'junit',
      output: file,
      environment: { GITHUB_ACTIONS: 'true' },
    });
    expect(both.out).toContain('expected 7 rows, got 2');
    expect(both.out).toMatch(/^::error file=\S*endpoints\/recent\.test\.yaml,line=8/m);
    expect(await readFile(file, 'utf8')).toContain('<testcase name="one"');
    await rm(file);
    const { out, code } = await folder.run({ json: true });
    expect(JSON.parse(out)).toMatchObject({ summary: { failed: 1 } });
    expect(code).toBe(1);
  });
});

describe('watching', () => {
  test('reruns what a change affects, until it is interrupted', async () => {
    const watched = await EndpointTestFolder.create({
      'sources/events.json': source,
      'endpoints/recent.sql': recent,
      'endpoints/recent.test.yaml': `${head}cases: [{ name: one, rows: { events: { file: ../rows/a.json } }, expect: { count: 1 } }]`,
      'endpoints/other.sql': `/*\nid: ${uuid(2)}\nname: other\n*/\nSELECT 1 AS n`,
      'endpoints/other.test.yaml': 'cases: [{ name: two, expect: { rows: [{ n: 1 }] } }]',
      'rows/a.json': '[]',
    });
    const stop = new AbortController();
    const output = new CapturedOutput();
    const waits = () => output.stderr.split('Waiting').length - 1;
    const running = watched.run({ watch: true, signal: stop.signal }, output);
    running.catch(() => {});
    try {
      const timeout = 20_000;
      await expect.poll(waits, { timeout }).toBe(1);
      const listeners = getEventListeners(stop.signal, 'abort').length;
      expect(output.stdout).toMatch(/1 failed.*1 passed/);
      await watched.write({
        'rows/a.json': JSON.stringify([{ id: 'a', timestamp: '2026-11-20T11:30:00Z' }]),
      });
      await expect.poll(() => output.stdout, { timeout }).toMatch(/1 affected file\n.*\n {2}✓ one/);
      const before = output.stdout.length;
      await expect.poll(waits, { timeout }).toBeGreaterThan(1);
      await watched.write({ 'endpoints/other.test.yaml': 'cases: [{ name: two, expect: { rows: [] } }]' });
      await expect
        .poll(() => output.stdout.slice(before), { timeout })
        .toMatch(/1 affected file\n.*\n {2}✗ two/);
      await expect.poll(waits, { timeout }).toBeGreaterThanOrEqual(3);
      expect(getEventListeners(stop.signal, 'abort')).toHaveLength(listeners);
    } finally {
      stop.abort(new Error('stopped'));
      await expect(running).rejects.toThrow('stopped');
      expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
      await watched.remove();
    }
  });
});
