import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { systemClock } from '../../../src/base/system/clock.ts';
import { EventReports, noEventMeter } from '../../../src/server/collectors/event-reports.ts';
import { RequestCounter } from '../../../src/server/limits/request-counter.ts';
import { tableRows } from '../../docs/markdown.ts';
import { metricsOf } from '../../support/metrics.ts';
import { fakeLog, type GatewayFakes, type Reply, runGateway, sendRaw } from '../listener/running-gateway.ts';

const requestId = '0123456789-0123456789';
const origin = 'https://app.example';

const file = { content: Buffer.from('<head></head>'), mediaType: 'text/html; charset=utf-8' };
const unused = () => Promise.reject(new GatewayError('NOT_FOUND', 'There is none.'));

async function* noBatches() {}

/** A gateway with all routes that there are, whose pages of one origin may use credentials. */
function everything(more: GatewayFakes = {}) {
  return runGateway({
    functions: async () => [],
    console: {
      files: new Map([
        ['index.html', file],
        ['a.css', file],
      ]),
    },
    keys: { fixed: [], read: async () => [], put: unused, uses: async () => new Map() },
    describeOperations: unused,
    purgeEntries: async () => 0,
    deleteRows: async () => 0,
    writeEndpoint: async () => 'a.sql',
    editing: unused,
    writeBoard: async () => 'a.yaml',
    exportNamed: async () => ({ columns: [], batches: noBatches(), engineMs: () => 0 }),
    holdStore: (task) => task({ file: 'a', fileBytes: 0, logBytes: 0, rows: new Map() }),
    metrics: metricsOf({ engine: 'duckdb' }),
    collectors: {
      resolveSource: (name) => name,
      receive: unused,
      reports: new EventReports({ meter: noEventMeter, log: fakeLog(), clock: systemClock, keep() {} }),
    },
    environment: { CORS_ORIGINS: origin },
    ...more,
  });
}

/** The headers that every answer has. */
function common({ headers }: Pick<Reply, 'headers'>): object {
  return {
    requestId: headers['x-request-id'],
    sniffing: headers['x-content-type-options'],
    referrer: headers['referrer-policy'],
    hasPolicy: headers['content-security-policy'] !== undefined,
    origin: headers['access-control-allow-origin'],
    credentials: headers['access-control-allow-credentials'],
    exposes: headers['access-control-expose-headers']?.includes('X-Request-Id'),
    variesByOrigin: headers.vary?.split(', ').includes('Origin'),
  };
}

const expected = {
  requestId,
  sniffing: 'nosniff',
  referrer: 'no-referrer',
  hasPolicy: true,
  origin,
  credentials: 'true',
  exposes: true,
  variesByOrigin: true,
};

const sent = [
  ['Origin', origin],
  ['X-Request-Id', requestId],
] as const;
const body = { POST: '{}', PUT: '{}', PATCH: '{}' } as Readonly<Record<string, string>>;

const segments = { endpoint: 'logs.all', board: 'a', source: 'a', key: 'a', file: 'a.css' } as Readonly<
  Record<string, string>
>;
const addressOf = (path: string) => path.replace(/\{(\w+)\}/, (_, name) => segments[name] ?? '');

test('every route answers every method with the same common headers, with a key and without', async () => {
  const gateway = await everything();
  const paths = new Set(gateway.routes.map(({ path }) => path));
  expect(paths.size).toBeGreaterThan(40);
  for (const path of [...paths, '/nothing']) {
    const methods = new Set(gateway.routes.flatMap((route) => (route.path === path ? route.methods : [])));
    for (const method of [...methods, 'GET', 'PUT', 'OPTIONS']) {
      for (const anonymous of [true, false]) {
        for (const accept of ['application/json', 'text/html', 'text/event-stream']) {
          const text = body[method];
          const headers = [
            ...sent,
            ['Accept', accept],
            ...(text ? [['Content-Type', 'application/json'] as const] : []),
          ] as const;
          const reply = await gateway.call(addressOf(path), {
            method,
            headers,
            anonymous,
            ...(text && { body: text }),
          });
          expect(common(reply), `${method} ${path} ${accept} ${reply.status}`).toEqual(expected);
        }
      }
    }
  }
});

test('a path names its methods, to OPTIONS and to those that it does not have', async () => {
  const gateway = await everything();
  const allowed = (path: string) => {
    const methods = gateway.routes.flatMap((route) => (route.path === path ? route.methods : []));
    return [...new Set(methods), 'OPTIONS'].join(', ');
  };
  for (const { path } of gateway.routes) {
    // These are for pages, or have an endpoint's name for those of another route.
    if (['/', '/graphql', '/api/endpoints/cache'].includes(path)) continue;
    const options = await gateway.call(addressOf(path), { method: 'OPTIONS', anonymous: true });
    expect([options.status, options.headers.allow], path).toEqual([204, allowed(path)]);
    const patched = await gateway.call(addressOf(path), { method: 'PATCH' });
    expect([patched.status, patched.headers.allow], path).toEqual([405, allowed(path)]);
  }
  const reply = await gateway.call('/api/endpoints/cache', { method: 'PATCH' });
  expect([reply.status, reply.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PUT, OPTIONS']);
  expect((await gateway.call('/', { method: 'PATCH' })).status).toBe(404);
});

test('a path that is not percent-encoded UTF-8 is refused by every route with a name in its path', async () => {
  const gateway = await everything();
  for (const { path, methods } of gateway.routes) {
    if (!path.includes('{')) continue;
    const reply = await gateway.call(path.replace(/\{\w+\}/, '%ff'), { method: methods[0] ?? '' });
    expect([reply.status, reply.body], path).toEqual([400, expect.stringContaining('percent-encoding')]);
  }
});

/** The common headers of an answer to bytes. */
function ofText(answer: string): object {
  const [head = ''] = answer.split('\r\n\r\n', 1);
  const pairs = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ', 2) as [string, string]);
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const before = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = before === undefined ? value : `${before}, ${value}`;
  }
  return common({ headers });
}

test.each([
  ['no Host', 'GET / HTTP/1.1\r\n', 400],
  ['too many headers', `GET / HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(200)}`, 431],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n', 400],
])('so does a request with %s', async (_name, head, status) => {
  const { port } = await everything();
  const own = `Origin: ${origin}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n`;
  const answer = await sendRaw(port, head + own);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(ofText(answer)).toEqual(expected);
});

test.each([
  ['is not HTTP', 'nonsense\r\n\r\n', 400],
  ['has too large headers', `GET / HTTP/1.1\r\nHost: a\r\na: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ['is for a proxy', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
])('what %s has an id, and no origin that could be read', async (_name, text, status) => {
  const lines: object[] = [];
  const { port } = await everything({ logRequest: (line) => lines.push(line) });
  const answer = await sendRaw(port, text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const id = expect.stringMatching(/^[\w-]{20,}$/);
  const noOrigin = { origin: undefined, credentials: undefined, exposes: undefined };
  expect(ofText(answer)).toEqual({ ...expected, ...noOrigin, requestId: id });
  const [told] = /(?<=X-Request-Id: ).*/.exec(answer) ?? [];
  expect(lines).toMatchObject([{ requestId: told, status }]);
});

test('so do requests that are refused before their route, answers from the cache and those that have not changed', async () => {
  const perAddress = { requests: 1, seconds: 3600 };
  const limited = await everything({
    limits: { counter: new RequestCounter(), trustedProxies: 0, perAddress },
  });
  await limited.call('/api/caller');
  for (const path of ['/api/caller', '/graphql', '/v1/logs']) {
    const reply = await limited.call(path, { headers: sent });
    expect([reply.status, common(reply)]).toEqual([429, expected]);
  }
  const refusal = () => new GatewayError('OVERLOADED', 'Too many queries wait.');
  const loaded = await everything({ permits: { areTaken: true, refusal } });
  const target = '/api/endpoints/query/logs.all?project=a';
  const shed = await loaded.call(target, { headers: sent });
  expect([shed.status, common(shed)]).toEqual([503, expected]);
  const gateway = await everything();
  const { etag = '' } = (await gateway.call(target)).headers;
  const known = await gateway.call(target, { headers: [...sent, ['If-None-Match', etag]] });
  expect([known.status, common(known)]).toEqual([304, expected]);
});

test('nothing else in the server writes status lines and headers', async () => {
  const folder = join(import.meta.dirname, '../../../src/server');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const writes = /\.(?:writeHead|[sg]etHeaders?|appendHeader)\(|\.statusCode =|`HTTP\/1/;
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  expect(files.filter((_, at) => writes.test(texts[at] ?? ''))).toEqual(['http/response/response-head.ts']);
});

/** The routes as documents write them: `GET /api/keys/{}`. */
function written(method: string, path: string): string {
  return `${method} ${path.replace(/\{\w+\}|<[^>]+>/g, '{}')}`;
}

test('docs/rest.md lists all routes', async () => {
  const gateway = await everything();
  const listed = new Set<string>();
  for (const [cell = ''] of await tableRows('docs/rest.md', 'Route')) {
    let methods: string[] = [];
    for (const [, method = '', path] of cell.matchAll(/`([A-Z]+)(?: ([^`]+))?`/g)) {
      methods.push(method);
      if (path === undefined) continue;
      for (const each of methods) listed.add(written(each, path));
      methods = [];
    }
  }
  const spelling = /^\/(?:api\/)?(?:logs|events)(?:\/|$)/;
  const served = gateway.routes
    .filter(({ path }) => path === '/api/logs' || !spelling.test(path))
    .flatMap(({ path, methods }) => methods.map((method) => written(method, path)));
  const read = served.filter((route) => !route.startsWith('HEAD '));
  expect([...listed].toSorted()).toEqual([...new Set(read)].toSorted());
});

test('the OpenAPI document lists the routes below /api', async () => {
  const gateway = await everything();
  const { paths } = JSON.parse((await gateway.call('/api/openapi.json')).body) as {
    paths: Readonly<Record<string, object>>;
  };
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => written(method.toUpperCase(), path)),
  );
  const served = gateway.routes
    .filter(({ path }) => path.startsWith('/api/'))
    .flatMap(({ path, methods }) => methods.map((method) => written(method, path)));
  // Endpoints have paths of their own; these are for commands of the program and the console, which know them.
  const others =
    /^HEAD |\/query\/|\/api\/(?:events|logs\/)|\/export$|^DELETE \/api\/sources|\/store\/hold$|^PUT /;
  expect(listed.toSorted()).toEqual([...new Set(served.filter((route) => !others.test(route)))].toSorted());
});
