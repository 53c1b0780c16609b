import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { importCommand } from '../../src/cli/import/import.ts';
import { askServer } from '../../src/cli/run/ask-server.ts';
import { runCommand } from '../../src/cli/run/run.ts';
import type { RunOptions } from '../../src/cli/run/run-options.ts';
import { maxSilenceMs } from '../../src/cli/run/server.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { endlessBody } from '../support/endless-body.ts';

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write(
    'sources/orders.json',
    JSON.stringify([
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'total', type: 'INT64' },
      { name: 'note', type: 'STRING' },
    ]),
  );
  const endpoint = (n: number, name: string, more: string, sql: string) =>
    workspace.write(
      `endpoints/${name}.sql`,
      `/*\nid: 00000000-0000-4000-8000-00000000000${n}\nname: ${name}\n${more}*/\n${sql}\n`,
    );
  await endpoint(
    1,
    'orders',
    'maxRows: 2\nexportRows: 100\nsandbox: true\nredactPii: true\nparameters:\n  least: {type: INT64, required: true}\n  ids: {type: ARRAY<STRING>}\n',
    'WITH found AS (SELECT o.id, o.timestamp, o.total, o.note FROM logs.orders AS o WHERE o.total >= @least AND (ARRAY_LENGTH(@ids) = 0 OR o.id IN UNNEST(@ids))) SELECT id, total, note FROM found ORDER BY id',
  );
  await endpoint(2, 'clock', '', 'SELECT CURRENT_TIMESTAMP() AS now');
  const rows = await workspace.writeRows(
    'rows.ndjson',
    [1, 2, 3].map((n) => ({
      id: `o${n}`,
      timestamp: '2026-11-20T00:00:00Z',
      total: n,
      note: n === 1 ? null : 'from 10.1.2.3',
    })),
  );
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const environment = {
    stdin: process.stdin,
    stdout: nowhere,
    stderr: nowhere,
    clock: { now: () => Date.now(), elapsed: () => 0 },
  };
  const config = readConfig(workspace.environment);
  expect(await importCommand({ source: 'orders', files: [rows] }, config, environment)).toBe(0);
});
afterAll(() => workspace?.remove());

async function run(
  endpoint: string,
  options: Partial<RunOptions> = {},
  settings: Record<string, string> = {},
) {
  let [out, err] = ['', ''];
  const stdout = new Writable({
    write(piece, _encoding, done) {
      out += String(piece);
      done();
    },
  });
  const environment = {
    stdout,
    err: (text: string) => {
      err += text;
    },
  };
  const config = readConfig({ ...workspace.environment, ...settings });
  const code = await runCommand(endpoint, { format: 'table', ...options }, config, environment);
  return { code, out, err };
}

const least = (n: number) => `least=${n}`;

describe('over the store', () => {
  test('rows are a table, and their number and time are told apart from them', async () => {
    const { code, out, err } = await run('orders', { param: [least(2)] });
    expect(code).toBe(0);
    const head = `id  total  note\n──  ─────  ${'─'.repeat(5 + redacted.length)}\n`;
    expect(out).toBe(`${head}o2      2  from ${redacted}\no3      3  from ${redacted}\n`);
    expect(err).toMatch(/^2 rows in [\d.]+ m?s, engine \d+ ms\n$/);
  });

  test('truncated rows say so, unless an export has them all', async () => {
    const table = await run('orders', { param: [least(1)] });
    expect(table.out.split('\n')).toHaveLength(5);
    expect(table.err).toMatch(/^2 rows .*; truncated: the query has more rows/);
    const csv = await run('orders', { param: [least(1)], format: 'csv', quiet: true });
    expect(csv).toEqual({
      code: 0,
      out: `id,total,note\r\no1,1,\r\no2,2,from ${redacted}\r\no3,3,from ${redacted}\r\n`,
      err: '',
    });
    const ndjson = await run('orders', { param: [least(3)], format: 'ndjson' });
    expect(ndjson).toMatchObject({ out: `{"id":"o3","total":3,"note":"from ${redacted}"}\n` });
    expect(ndjson.err).toMatch(/^1 row in /);
  });

  test('JSON is that of REST; elements of an array are repeated parameters', async () => {
    const param = [least(1), 'ids=o1', 'ids=o3'];
    const { out } = await run('orders', { param, json: true, sql: 'SELECT id FROM found ORDER BY id' });
    expect(out).toBe('{"result":[{"id":"o1"},{"id":"o3"}]}\n');
    const lql = await run('orders', { param, format: 'json', lql: 's:total f:found id:o3' });
    expect(lql.out).toBe('{"result":[{"total":3}]}\n');
  });

  test('the clock can be held', async () => {
    expect((await run('clock', { now: '2026-11-20T08:30:00Z' })).out).toContain('\n2026-11-20T08:30:00Z\n');
    await expect(run('clock', { now: '1d', engine: 'bigquery' })).rejects.toThrow(/^--now: BigQuery/);
  });

  test.each<[string, string, Partial<RunOptions>, RegExp]>([
    ['UsageError', 'order', {}, /^order: unknown endpoint; available: orders, clock$/],
    ['UsageError', 'orders', {}, /^Parameter "least" is required\. Use --param least=…$/],
    [
      'UsageError',
      'orders',
      { param: ['least=x'] },
      /^Parameter "least": expected .*"x".* Use --param least=…$/,
    ],
    [
      'UsageError',
      'orders',
      { param: ['leats=1'] },
      /^--param leats=1: orders has no such parameter; available: least=…, ids=…$/,
    ],
    [
      'UsageError',
      'clock',
      { sql: 'SELECT 1' },
      /^--sql: clock does not accept ad-hoc queries; `sandbox: true` in .*clock\.sql allows them$/,
    ],
    ['GatewayError', 'orders', { param: ['least=1'], sql: 'SELECT nope FROM found' }, /nope.*1:8/],
  ])('%s tells why %s with %j is refused', async (name, endpoint, options, reason) => {
    await expect(run(endpoint, options)).rejects.toMatchObject({
      name,
      message: expect.stringMatching(reason),
    });
  });

  test('without a store, the next step is named, and none is made', async () => {
    const dataDir = workspace.path('none');
    await expect(run('clock', {}, { DATA_DIR: dataDir })).rejects.toThrow(
      /^There is no store .* npx endpoint-gateway import/,
    );
    await expect(run('clock', {}, { DATA_DIR: dataDir })).rejects.toThrow(/^There is no store/);
  });

  test('an error in another endpoint is told, and does not matter', async () => {
    const file = await workspace.write('endpoints/bad.sql', 'SELECT 1');
    const { code, err } = await run('clock');
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^warning: 1 error in files of other endpoints; see npx endpoint-gateway check\n/,
      ),
    });
    await expect(run('bad')).rejects.toMatchObject({ name: 'ProblemsError' });
    await rm(file);
  });
});

/** What an IP address becomes. */
const redacted = 'REDACTED';

describe('on a gateway', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await Gateway.serve(workspace);
  });
  afterAll(() => gateway?.stop());

  test('which has the store, without a key; it says so', async () => {
    const { code, out, err } = await run('orders', { param: [least(3)] });
    expect({ code, out }).toEqual({
      code: 0,
      out: `id  total  note\n──  ─────  ${'─'.repeat(5 + redacted.length)}\no3      3  from ${redacted}\n`,
    });
    expect(err).toMatch(
      /^The gateway at http:\S+ is using the store, and runs its version of the endpoint\.\n1 row in /,
    );
    await expect(run('clock', { now: '1d' })).rejects.toThrow(
      /^--now: the gateway at .* has a clock of its own/,
    );
  });

  test('whose address and key are given, with the files of nobody', async () => {
    const settings = {
      ENDPOINTS_DIR: workspace.path('tmp'),
      SERVER_URL: `${gateway.url}/`,
      SERVER_KEY: 'a-key',
    };
    const lines = await run('orders', { param: [least(1), 'ids=o1', 'ids=o2'], format: 'ndjson' }, settings);
    expect(lines).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\{"id":"o1".*\}\n\{"id":"o2".*\}\n$/),
    });
    expect(lines.err).toMatch(/^2 rows in [^;]*\n$/);
    const json = await run('orders', { param: [least(1)], format: 'json', lql: 's:id f:found' }, settings);
    expect(JSON.parse(json.out).result).toHaveLength(2);
    expect(json.err).toMatch(/^2 rows .*; truncated/);
  });

  test.each<[string, string, Partial<RunOptions>, RegExp]>([
    ['UsageError', 'order', {}, /lists the endpoints\.$/],
    ['UsageError', 'orders', {}, /^Parameter "least" is required\. Use --param least=…$/],
    [
      'UsageError',
      'orders',
      { param: ['least=1', 'leats=1'] },
      /^--param: orders has no such parameter: leats$/,
    ],
    ['CommandError', 'orders', { param: ['least=1'], sql: 'SELECT nope FROM found' }, /nope/],
    ['CommandError', 'orders', { key: 'wrong' }, /^The gateway at \S+ does not accept the key: .*SERVER_KEY/],
  ])('%s tells why %s with %j is refused there', async (name, endpoint, options, reason) => {
    const all = { server: gateway.url, key: 'a-key', ...options };
    await expect(run(endpoint, all)).rejects.toMatchObject({ name, message: expect.stringMatching(reason) });
  });
});

describe('on something else', () => {
  test.each([
    [{ server: 'http://ann:secret@127.0.0.1:1' }, 'the address of 127.0.0.1:1 has a user name or a password'],
    [{ server: 'http://127.0.0.1:1', key: 'secret\n' }, '--key: expected visible ASCII'],
  ])('%j is wrong use, and the message has no secret', async (options, reason) => {
    const failure = await run('x', options).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'UsageError', message: expect.stringContaining(reason) });
    expect(String(failure)).not.toContain('secret');
  });

  test.each([
    [500, /answers with status 500, and is not a gateway/],
    [200, /has more than 256 MB/],
  ])('an endless answer with status %i is not read to its end', async (status, reason) => {
    const server = createServer((_request, response) => {
      response.writeHead(status);
      pipeline(endlessBody(2 ** 20), response, () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(run('x', { server: url })).rejects.toThrow(reason);
  });

  async function serverOf(
    answer: (request: IncomingMessage) => { status: number; type: string; body: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    const server: Server = createServer(async (request, response) => {
      await textOf(request);
      const { status, type, body } = answer(request);
      response.writeHead(status, {
        ...headers,
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(body),
      });
      if (body === 'broken') response.destroy();
      else response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('the time of the engine and the bytes billed are told, if the answer has them', async () => {
    const answer = { status: 200, type: 'application/x-ndjson', body: '{"n":1}\n' };
    const headers = { 'Server-Timing': 'queue;dur=1, engine;dur=12.4', 'X-Bytes-Billed': '1000' };
    const told = await run('x', { server: await serverOf(() => answer, headers) });
    expect(told.err).toMatch(/^1 row in \d+ ms, engine 12 ms, 1,000 bytes billed\n$/);
    const untold = await run('x', { server: await serverOf(() => answer) });
    expect(untold.err).toMatch(/^1 row in \d+ ms\n$/);
  });

  test('a parameter that the gateway ignored is named without escape sequences', async () => {
    const answer = { status: 200, type: 'application/x-ndjson', body: '' };
    const server = await serverOf(() => answer, { 'X-Ignored-Parameters': '\u009b31mpwn' });
    await expect(run('x', { server })).rejects.toThrow(/^--param: x has no such parameter: \\u009b31mpwn$/);
  });

  test('columns may have the names of members that all objects have', async () => {
    const body = '{"__proto__":{"x":1},"constructor":2}\n{"toString":1}\n';
    const server = await serverOf(() => ({ status: 200, type: 'application/x-ndjson', body }));
    const { out } = await run('x', { server });
    expect(
      out
        .split('\n')
        .slice(0, 4)
        .map((line) => line.trim().split(/ {2,}/)),
    ).toEqual([['__proto__', 'constructor'], expect.anything(), ['{"x":1}', '2'], ['NULL', 'NULL']]);
  });

  test.each([
    ['ndjson', '{"n":1}', 1],
    ['ndjson', '{"n":1}\n{"n":2}', 2],
    ['csv', 'n\n1\n2', 2],
    ['csv', 'n\n"1\n2"', 1],
    ['csv', 'n', 0],
    ['csv', '', 0],
  ] as const)('in %s, the last row of %j counts without a line break', async (format, body, rows) => {
    const server = await serverOf(() => ({ status: 200, type: 'text/plain', body }));
    const { err } = await run('x', { server, format });
    expect(err).toMatch(new RegExp(`^${rows} rows? in `));
  });

  test.each([
    ['before its answer', () => {}],
    ['within it', (response: ServerResponse) => void response.writeHead(200).write('{"n":1}\n')],
  ])('a gateway that is silent %s is given up', async (_when, begin) => {
    const server = createServer((_request, response) => begin(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stdout = new Writable({ write: (_piece, _encoding, done) => done() });
    const asked = askServer(
      { url, key: undefined },
      'x',
      { format: 'ndjson' },
      { stdout, silenceMs: 50 },
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({
      name: 'CommandError',
      message: expect.stringMatching(
        /^The gateway at \S+ has sent nothing for 0\.05 s\. .*REQUEST_TIMEOUT_MS/,
      ),
    });
  });

  test('a gateway has the time of a query, and that of an export in its formats', () => {
    const limits = { requestTimeoutMs: 25_000, exportTimeoutMs: 600_000 };
    expect(maxSilenceMs(limits, 'table')).toBe(120_000);
    expect(maxSilenceMs({ ...limits, requestTimeoutMs: 90_000 }, 'json')).toBe(150_000);
    expect(maxSilenceMs(limits, 'csv')).toBe(660_000);
  });

  test('an address where nothing listens is named', async () => {
    await expect(run('x', { server: 'http://127.0.0.1:1' })).rejects.toThrow(
      /^The gateway at http:\/\/127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\. Is it running\?/,
    );
  });

  test.each<[string, { status: number; type: string; body: string }, RegExp]>([
    [
      'a page',
      { status: 404, type: 'text/html', body: '<html>' },
      /answers with status 404, and is not a gateway/,
    ],
    [
      'escape sequences',
      { status: 400, type: 'application/json', body: '{"error":"a\\u001b[2Jb"}' },
      /^a\\u001b\[2Jb$/,
    ],
    [
      'escape sequences in the name of a parameter',
      {
        status: 400,
        type: 'application/json',
        body: '{"error":"::error::no","parameter":"\\u001b[41mp\\n::error::z"}',
      },
      /^· ::error::no Use --param \\u001b\[41mp\\n::error::z=…$/,
    ],
    [
      'JSON instead of a table',
      { status: 200, type: 'application/json', body: '{"result":[{"a":"\u009b\u202e"}]}' },
      /^The gateway at \S+ answers with JSON instead of table\. Use --format json\.$/,
    ],
    [
      'an answer that breaks',
      { status: 200, type: 'application/x-ndjson', body: 'broken' },
      /^The gateway at/,
    ],
    [
      'a failed query with status 200',
      { status: 200, type: 'application/json', body: '{"error":"It failed."}' },
      /^It failed\.$/,
    ],
    ['text', { status: 200, type: 'application/x-ndjson', body: 'hello\n' }, /something other than rows/],
  ])('%s is an error', async (_what, answer, reason) => {
    const server = await serverOf(() => answer);
    await expect(run('x', { server })).rejects.toThrow(reason);
  });
});
