import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import {
  buildClientSchema,
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { GatewayError } from '../../src/base/errors/errors.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { keyAccess } from '../../src/calls/access/authentication/access.ts';
import { allowancesOf } from '../../src/calls/access/caller/allowance.ts';
import { everyScope } from '../../src/calls/access/caller/caller.ts';
import { endpointCatalog } from '../../src/definitions/endpoints/endpoint-catalog.ts';
import { formatNames } from '../../src/rows/formats/format.ts';
import { logflareSpellings } from '../../src/server/collectors/logflare-protocol.ts';
import { buildShape } from '../../src/server/graphql/shape/build-shape.ts';
import { createGatewayServer } from '../../src/server/listener/gateway.ts';
import { fakeLog } from '../server/listener/running-gateway.ts';
import { gatewayParts } from '../support/gateway-parts.ts';
import { endpointWith } from './executor/support/endpoint.ts';
import { setUp } from './executor/support/setup.ts';

/** A way to call an endpoint. */
interface Way {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it asks for the cost only: nothing runs, so there are neither rows nor a budget. */
  readonly isEstimate?: true;
}

const rest = (path: string, given: Readonly<Record<string, string>>, more: Partial<Way> = {}): Way => ({
  path: `${path}?${new URLSearchParams(given)}`,
  ...more,
});
const json = { 'content-type': 'application/json' };
const events = { accept: 'text/event-stream' };
const graphql = (query: string, headers = {}, more: Partial<Way> = {}): Way => {
  const body = JSON.stringify({ query });
  return { ...{ path: '/graphql', method: 'POST', headers: { ...json, ...headers }, body }, ...more };
};
const mcp = (name: string, given: object): Way => {
  const params = { name, arguments: given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { ...json, accept: 'application/json, text/event-stream' };
  return { path: '/mcp', method: 'POST', headers, body };
};
const query = '/api/endpoints/query/{endpoint}';
const byName = '/api/endpoints/query/name/{endpoint}';
const ofVersion = '/api/endpoints/query/{endpoint}/versions/{version}';
const old = '/endpoints/query/{endpoint}';
const to = (route: string) => route.replace('{endpoint}', 'counts').replace('{version}', '1');
const sql = 'SELECT owner FROM entries';
const [columns, args] = ['{ owner }', (project: string) => `(project: "${project}")`];
const adHoc = (project: string) => `(project: "${project}", sql: "${sql}")`;

/**
 * Every way to call an endpoint, by its name: the route, the format, the field or the tool. The last tests compare these names
 * with what the gateway has. What isn't here is a way that nobody has tried.
 */
const ways: Readonly<Record<string, (project: string) => Way>> = {
  [`GET ${query}`]: (project) => rest(to(query), { project }),
  [`POST ${query}`]: (project) => ({
    ...{ path: to(query), method: 'POST', headers: json, body: JSON.stringify({ project }) },
  }),
  [`GET ${byName}`]: (project) => rest(to(byName), { project }),
  [`GET ${old}`]: (project) => rest(to(old), { project }),
  [`GET ${ofVersion}`]: (project) => rest(to(ofVersion), { project }),
  'ad-hoc SQL': (project) => rest(to(query), { project, sql }),
  'ad-hoc LQL': (project) => rest(to(query), { project, lql: 'f:entries' }),
  estimate: (project) => rest(to(query), { project, dry_run: 'true' }, { isEstimate: true }),
  'ad-hoc estimate': (project) => rest(to(query), { project, sql, dry_run: 'true' }, { isEstimate: true }),
  'live result': (project) => rest(to(query), { project }, { headers: events }),
  'live ad-hoc result': (project) => rest(to(query), { project, sql }, { headers: events }),
  'live tail': (project) => rest(to(query), { project, tail: 'entries' }, { headers: events }),
  ...Object.fromEntries(
    formatNames.map((format) => [
      `format ${format}`,
      (project: string) => rest(to(query), { project, format }),
    ]),
  ),
  'Query.counts': (project) => graphql(`{ counts${args(project)} ${columns} }`),
  'CountsTables.entries': (project) => graphql(`{ countsTables${args(project)} { entries ${columns} } }`),
  'Query.countsQuery': (project) => graphql(`{ countsQuery${adHoc(project)} { rows } }`),
  'Estimates.counts': (project) =>
    graphql(`{ estimates { counts${args(project)} { bytesProcessed } } }`, {}, { isEstimate: true }),
  'Estimates.countsQuery': (project) =>
    graphql(`{ estimates { countsQuery${adHoc(project)} { bytesProcessed } } }`, {}, { isEstimate: true }),
  'Subscription.counts': (project) => graphql(`subscription { counts${args(project)} ${columns} }`, events),
  'Subscription.countsEntries': (project) =>
    graphql(`subscription { countsEntries${args(project)} ${columns} }`, events),
  'Subscription.countsEntriesTail': (project) =>
    graphql(`subscription { countsEntriesTail${args(project)} { rows ${columns} } }`, events),
  'tool counts': (project) => mcp('counts', { project }),
  'tool countsQuery': (project) => mcp('countsQuery', { project, sql }),
};

const plan = {
  ...endpointWith().plan,
  columns: [
    { name: 'owner', type: { kind: 'STRING' } },
    { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  ],
} as const;
const counts = endpointWith({
  ...{ plan, sandbox: true, exportRows: 100, cacheSeconds: 0 },
  parameters: [{ name: 'project', type: { kind: 'STRING' }, required: true }],
  tables: [{ name: 'entries', plan, boundBy: new Set(['project']) }],
});

const [address, hiddenValue] = ['10.0.0.9', 'a value of a row'];
/** The keys, whose texts are their names. */
const keys = {
  owner: {},
  bound: { projects: new Set(['mine']) },
  discreet: { redact: true },
  spent: { allowances: allowancesOf({ bytesPerDay: 1 }) ?? [] },
  idle: { allowances: allowancesOf({ allow: ['calls=0/day'] }) ?? [] },
  rowless: { allowances: allowancesOf({ allow: ['rows=0/day'] }) ?? [] },
};
type Key = keyof typeof keys;

async function runGateway() {
  const set = setUp({ clock: systemClock });
  set.engine.cost = { bytesProcessed: 10, bytesBilled: 10, engineCacheHit: false };
  const catalog = endpointCatalog([counts]);
  const adHocQueries = {
    known: () => undefined,
    plan: async () => ({ canonical: 'own', plan, maxRows: 10, tables: counts.tables }),
  };
  const { shape, problems } = buildShape([counts], { locate: () => ({ line: 1, column: 1 }) });
  expect(problems).toEqual([]);
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess(
        Object.entries(keys).map(([name, wish]) => ({
          ...{ name, secret: name, redact: false, scopes: everyScope },
          ...wish,
        })),
      ),
      ...{ endpoints: catalog, shape, executor: set.executor, adHocQueries, clock: systemClock },
      allowances: set.executor.allowances,
      log: fakeLog(),
      config: readConfig({}),
    }),
  );
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });

  /** The status and the body, or the first event of a stream. */
  async function ask(key: Key, { path, method = 'GET', headers = {}, body = '' }: Way) {
    const given = { 'X-API-KEY': key, ...headers, 'Content-Length': Buffer.byteLength(body) };
    const sent = httpRequest({ port, method, path, headers: given }).end(body);
    const [response] = await once(sent, 'response');
    const pieces: Buffer[] = [];
    const soFar = () => Buffer.concat(pieces).toString('latin1');
    for await (const piece of response) {
      pieces.push(piece);
      if (/^data: .*\n\n/m.test(soFar())) break;
    }
    sent.destroy();
    return { status: Number(response.statusCode), body: soFar() };
  }
  return { server, engine: set.engine, ask };
}

let gateway: Awaited<ReturnType<typeof runGateway>>;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway?.server.close());
beforeEach(() => {
  gateway.engine.runs.length = 0;
  gateway.engine.estimates.length = 0;
  gateway.engine.answer = () => [[`of ${address}`, 1n]];
  gateway.engine.estimated = { bytesProcessed: 4711 };
});

describe.each(Object.entries(ways))('%s', (_name, wayFor) => {
  const { isEstimate = false } = wayFor('mine');

  test('a restricted key gets what it may see, and nothing runs for what it may not', async () => {
    const { engine, ask } = gateway;
    const { body } = await ask('bound', wayFor('theirs'));
    expect(body).toMatch(/this key allows .{1,4}mine.{1,4} only/);
    expect([...engine.runs, ...engine.estimates]).toEqual([]);
    const allowed = await ask('bound', wayFor('mine'));
    expect(allowed.status).toBe(200);
    expect(allowed.body).toContain(isEstimate ? '4711' : address);
  });

  test('a key whose budget is spent runs nothing', async () => {
    const { engine, ask } = gateway;
    await ask('spent', rest(to(query), { project: 'mine' }));
    engine.runs.length = 0;
    const { status, body } = await ask('spent', wayFor('mine'));
    expect(engine.runs).toEqual([]);
    if (isEstimate)
      expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining('4711') });
    else expect(body).toMatch(/has used 10 of its 1 bytes billed a day/);
  });

  test.each([
    ['idle', 'calls'],
    ['rowless', 'rows'],
  ] as const)('a key that has none of its %s left is refused', async (key, of) => {
    const { engine, ask } = gateway;
    // The cache has the answer.
    await ask('owner', wayFor('mine'));
    engine.runs.length = 0;
    const { status, body } = await ask(key, wayFor('mine'));
    expect(engine.runs).toEqual([]);
    if (isEstimate)
      expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining('4711') });
    else expect(body).toMatch(`has used 0 of its 0 ${of} a day`);
  });

  test('rows are redacted for a key that requires it', async () => {
    const { ask } = gateway;
    const { body } = await ask('discreet', wayFor('mine'));
    expect(body).not.toContain(address);
    expect(body).toContain(isEstimate ? '4711' : 'REDACTED');
  });

  test('an error quotes values of rows to those only who may see all rows', async () => {
    const { engine, ask } = gateway;
    const message = `Bad value: ${hiddenValue} from ${address}`;
    const fail = () => new GatewayError('QUERY_FAILED', message, { withoutValues: 'Bad value' });
    engine.answer = () => {
      throw fail();
    };
    engine.estimated = fail();
    expect((await ask('owner', wayFor('mine'))).body).toContain(message);
    const bound = (await ask('bound', wayFor('mine'))).body;
    expect(bound).toContain('Bad value');
    expect(bound).not.toContain(hiddenValue);
    const discreet = (await ask('discreet', wayFor('mine'))).body;
    expect(discreet).toContain(`${hiddenValue} from REDACTED`);
  });
});

describe('all ways are listed', () => {
  const others = new Set([
    ...['/', '/graphql/{file}', '/livez', '/health', '/readyz', '/ready', '/console/{path}'],
    ...[
      '/api/endpoints',
      '/api/endpoints/{endpoint}',
      '/api/openapi.json',
      '/api/caller',
      '/api/sources/{source}/rows',
    ],
    ...[
      '/api/endpoints/cache',
      '/api/endpoints/cache/{endpoint}',
      '/api/keys',
      '/api/keys/{key}',
      '/api/keys/{key}/rotate',
    ],
    // Their callers have no restrictions: test/cli/sql.thorough.test.ts, test/server/operator.
    ...['/api/sql', '/api/endpoint-profiles/{endpoint}', '/api/endpoint-files/{endpoint}'],
    ...['check', 'complete', 'hover', 'literals', 'diff', 'try'].map((name) => `/api/drafts/${name}`),
    // They call nothing: test/server/boards.
    ...['/api/boards', '/api/boards/{board}'],
    ...['/api/functions', '/api/operations', '/metrics', '/v1/logs', '/api/logs', ...logflareSpellings],
  ]);

  test('routes', () => {
    const calling = gateway.server.routes.map(({ path }) => path).filter((path) => !others.has(path));
    const tried = Object.keys(ways).flatMap((name) => /^(?:GET|POST) (.*)/.exec(name)?.[1] ?? []);
    // The fields of /graphql and the tools of /mcp are compared below.
    expect(new Set(calling)).toEqual(new Set([...tried, '/graphql', '/mcp']));
  });

  test('fields of GraphQL that take the parameters of an endpoint, and those below them that take a limit', async () => {
    const { body } = await gateway.ask('owner', graphql(getIntrospectionQuery()));
    const schema = buildClientSchema(JSON.parse(body).data);
    const roots = [schema.getQueryType(), schema.getSubscriptionType()];
    const below = (type: GraphQLObjectType | null | undefined): string[] =>
      Object.values(type?.getFields() ?? {}).flatMap((field) => {
        const of = getNamedType(field.type);
        const inner = isObjectType(of) && of !== type ? below(of) : [];
        const isCall = field.args.some(({ name }) => name === 'project' || name === 'limit');
        return inner.length > 0 ? inner : isCall ? [`${type?.name}.${field.name}`] : [];
      });
    const tried = Object.keys(ways).filter((name) => /^\w+\.\w+$/.test(name));
    expect(new Set(roots.flatMap(below))).toEqual(new Set(tried));
  });

  test('tools', async () => {
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { body } = await gateway.ask('owner', { ...mcp('', {}), body: list });
    const tools: readonly { readonly name: string }[] = JSON.parse(body).result.tools;
    const tried = Object.keys(ways).flatMap((name) => /^tool (.*)/.exec(name)?.[1] ?? []);
    expect(tools.map(({ name }) => name).toSorted()).toEqual(tried.toSorted());
  });
});

test('protocols make calls in one place: they neither authorise nor redact on their own', async () => {
  const server = join(import.meta.dirname, '../../src/server');
  const files = (await readdir(server, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(
    files.map(async (name) => [name, await readFile(join(server, name), 'utf8')]),
  );
  const own = texts.filter(([, text = '']) => /calls\/redaction\/|\bauthoriseCall\b/.test(text));
  expect(own.map(([name]) => name)).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
});
