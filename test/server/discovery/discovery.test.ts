import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import { buildSchema } from '../../../src/server/graphql/schema/build-schema.ts';
import { buildShape } from '../../../src/server/graphql/shape/build-shape.ts';
import { runGateway } from '../listener/running-gateway.ts';
import { logs, plan, totals } from '../mcp/support/agent.ts';

const odd: Endpoint = {
  ...totals,
  id: '3c2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  name: 'größe 100 %/{x}',
  graphql: { field: 'odd' },
};

const shapeOf = (endpoints: readonly Endpoint[]) =>
  buildShape(endpoints, { locate: () => ({ line: 1, column: 1 }) }).shape;

/** A gateway with these endpoints. Its key `key` has these bounds. */
function gatewayFor(bounds: Partial<Caller> = {}, endpoints = [logs, totals, odd]) {
  return runGateway({
    access: keyAccess([{ name: 'k', secret: 'key', redact: false, scopes: new Set(['query']), ...bounds }]),
    endpoints: endpointCatalog(endpoints),
    shape: shapeOf(endpoints),
  });
}

describe('the list of endpoints', () => {
  test('has the parameters, columns and tables of each', async () => {
    const gateway = await gatewayFor();
    const { endpoints } = JSON.parse((await gateway.call('/api/endpoints')).body);
    expect(endpoints.map(({ name }: Endpoint) => name)).toEqual([logs.name, 'totals', 'größe 100 %/{x}']);
    expect(endpoints[0]).toMatchObject({
      id: logs.id,
      maxRows: 1000,
      exportRows: 1000,
      sandbox: true,
      graphqlField: 'logsAll',
      columns: [
        { name: 'id', type: 'STRING', description: 'The id of the row.' },
        { name: 'timestamp', type: 'TIMESTAMP', description: '' },
        { name: 'metadata', type: 'ARRAY<STRUCT<path STRING>>', description: '' },
      ],
      tables: [{ name: 'edge_logs' }, { name: 'all logs' }],
    });
    expect(endpoints[0].parameters.slice(0, 4)).toEqual([
      {
        ...{ name: 'project', type: 'STRING', required: true, default: null, values: null },
        ...{ example: 'demo', description: 'Whose rows.' },
      },
      {
        ...{ name: 'level', type: 'STRING', required: false, default: 'info', values: ['info', 'error'] },
        ...{ example: null, description: '' },
      },
      {
        ...{ name: 'count', type: 'INT64', required: false, default: null, values: null, example: null },
        ...{ description: '', min: '1', max: '50' },
      },
      {
        ...{ name: 'ids', type: 'ARRAY<INT64>', required: false, default: null, values: null, example: null },
        ...{ description: '', maxItems: 3 },
      },
    ]);
  });

  test('is one endpoint by its name or id', async () => {
    const gateway = await gatewayFor();
    const byName = await gateway.call(`/api/endpoints/${encodeURIComponent(odd.name)}`);
    expect(JSON.parse(byName.body)).toMatchObject({ id: odd.id, name: odd.name });
    expect((await gateway.call(`/api/endpoints/${odd.id}`)).body).toBe(byName.body);
    expect((await gateway.call('/api/endpoints/nothing')).status).toBe(404);
  });

  test.each(['query', 'cache', 'openapi.json', '__proto__', 'constructor', '%2F', '日本語'])(
    'has the endpoint %s by its name',
    async (name) => {
      const id = '5e0c3a44-97d4-4c43-8d0c-52f2a3f0f4b1';
      const endpoint: Endpoint = { ...totals, id, name, graphql: { field: 'named' } };
      const gateway = await gatewayFor({}, [logs, endpoint]);
      const path = encodeURIComponent(name);
      expect(JSON.parse((await gateway.call(`/api/endpoints/${path}`)).body)).toMatchObject({ id, name });
      expect((await gateway.call(`/api/endpoints/query/${path}`)).status).toBe(200);
    },
  );

  test.each(['query', 'query/', 'cache', 'nope'])(
    'does not have one that does not exist: %s',
    async (name) => {
      const gateway = await gatewayFor();
      const reply = await gateway.call(`/api/endpoints/${name}`);
      expect(reply.status).toBe(404);
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'NOT_FOUND' });
      expect((await gateway.call(`/api/endpoints/${name}`, { anonymous: true })).status).toBe(401);
    },
  );

  test('names the tables that have a tail: those whose rows have a time', async () => {
    const [table] = logs.tables;
    if (table === undefined) throw new Error('there is a table');
    const timeless = { ...table, name: 'timeless', plan: plan([{ name: 'id', type: { kind: 'STRING' } }]) };
    const gateway = await gatewayFor({}, [{ ...logs, tables: [...logs.tables, timeless] }, totals]);
    const { endpoints } = JSON.parse((await gateway.call('/api/endpoints')).body);
    expect(endpoints[0].tables.map(({ name }: Endpoint) => name)).toContain('timeless');
    const times = endpoints[0].tables.map(({ name, time }: { name: string; time?: string }) => [name, time]);
    expect(Object.fromEntries(times)).toMatchObject({ edge_logs: 'timestamp', timeless: undefined });
    expect(endpoints.map((each: { liveTables: string[] }) => each.liveTables)).toEqual([
      ['edge_logs', 'all logs'],
      [],
    ]);
  });

  test('has a GraphQL operation in the description of one, with a variable for each parameter', async () => {
    const gateway = await gatewayFor({}, [logs, totals]);
    const { query, variables } = JSON.parse((await gateway.call('/api/endpoints/logs.all')).body).graphql;
    expect(variables.slice(0, 3)).toEqual([
      { parameter: 'project', name: 'project' },
      { parameter: 'level', name: 'level', members: { info: 'INFO', error: 'ERROR' } },
      { parameter: 'count', name: 'count' },
    ]);
    const called = await gateway.call('/graphql', {
      method: 'POST',
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ query, variables: { project: 'a', level: 'ERROR', ids: ['1', '2'] } }),
    });
    expect(JSON.parse(called.body).errors).toBeUndefined();
    expect(gateway.executor.calls.at(-1)?.parameters).toEqual(
      new Map<string, unknown>([
        ...[['project', 'a'] as const, ['level', 'error'] as const, ['count', null] as const],
        ...[['ids', [1n, 2n]] as const, ['since', null] as const, ['filter', null] as const],
        ['code', null],
      ]),
    );
  });

  test.each([
    ['no bounds', {}],
    ['a pinned value', { pins: new Map([['project', 'p']]) }],
    ['projects', { projects: new Set(['p']) }],
  ])('has operations that the schema accepts, for a key with %s', async (_what, bounds) => {
    const gateway = await gatewayFor(bounds);
    const { endpoints } = JSON.parse((await gateway.call('/api/endpoints')).body);
    const schema = buildSchema(shapeOf([logs, totals, odd]));
    expect(endpoints.length).toBeGreaterThan(0);
    for (const { id } of endpoints) {
      const { graphql } = JSON.parse((await gateway.call(`/api/endpoints/${id}`)).body);
      expect(validate(schema, parse(graphql.query))).toEqual([]);
    }
  });

  test('tells the query and the settings of one to a key without restrictions only', async () => {
    const stored = { ...logs, plan: { ...logs.plan, sql: 'SELECT 1' }, timeoutSeconds: 7, redactPii: true };
    const definitionFor = async (bounds: Partial<Caller>, path = `/api/endpoints/${logs.name}`) =>
      JSON.parse((await (await gatewayFor(bounds, [stored])).call(path)).body).definition;
    expect(await definitionFor({})).toMatchObject({
      sql: 'SELECT 1',
      settings: { timeoutSeconds: 7, redactPii: true, liveSeconds: 5 },
    });
    expect(await definitionFor({ projects: new Set(['a']) })).toBeUndefined();
    expect(await definitionFor({ endpoints: new Set([logs.name]) })).toBeUndefined();
    expect(await definitionFor({ pins: new Map([['level', 'info']]) })).toBeUndefined();
    const list = await (await gatewayFor({}, [stored])).call('/api/endpoints');
    expect(list.body).not.toContain('SELECT 1');
  });

  test('tells what endpoints have done if it is asked, and otherwise stays the same', async () => {
    let cachedResults = 1;
    const lastRun = { at: '2026-01-01T00:00:00.000Z', milliseconds: 12.5, failed: false };
    const gateway = await runGateway({
      endpoints: endpointCatalog([logs, totals]),
      shape: shapeOf([logs, totals]),
      activities: () => (endpoint) => ({ cachedResults, lastRun: endpoint === logs ? lastRun : null }),
    });
    const { endpoints } = JSON.parse((await gateway.call('/api/endpoints?activity=true')).body);
    expect(endpoints.map(({ activity }: { activity: unknown }) => activity)).toEqual([
      { cachedResults: 1, lastRun },
      { cachedResults: 1, lastRun: null },
    ]);
    const one = JSON.parse((await gateway.call('/api/endpoints/totals?activity=true')).body);
    expect(one.activity).toEqual({ cachedResults: 1, lastRun: null });
    const tags = async (query: string) => (await gateway.call(`/api/endpoints${query}`)).headers.etag;
    const [before, asked] = [await tags(''), await tags('?activity=true')];
    cachedResults = 2;
    expect(await tags('')).toBe(before);
    expect(await tags('?activity=false')).toBe(before);
    expect(await tags('?activity=true')).not.toBe(asked);
    const refused = await gateway.call('/api/endpoints?activity=yes');
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([400, { parameter: 'activity' }]);
  });

  test.each<[string, Partial<Caller>, boolean]>([
    ['projects', { projects: new Set(['a']) }, false],
    ['a pinned value', { pins: new Map([['project', 'a']]) }, false],
    ['endpoints', { endpoints: new Set([logs.name]) }, true],
  ])(
    'a key that is bound to %s sees what endpoints have done for all: %s',
    async (_what, bounds, expected) => {
      const gateway = await runGateway({
        access: keyAccess([
          { name: 'k', secret: 'key', redact: false, scopes: new Set(['query']), ...bounds },
        ]),
        endpoints: endpointCatalog([logs]),
        shape: shapeOf([logs]),
        activities: () => () => ({ cachedResults: 1, lastRun: null }),
      });
      for (const path of ['/api/endpoints', `/api/endpoints/${logs.name}`]) {
        const { status, body } = await gateway.call(`${path}?activity=true`);
        expect([status, body.includes('"activity"')]).toEqual([200, expected]);
      }
    },
  );

  test('needs a key', async () => {
    const gateway = await gatewayFor();
    for (const path of ['/api/endpoints', '/api/endpoints/totals', '/api/openapi.json'])
      expect((await gateway.call(path, { anonymous: true })).status).toBe(401);
  });

  test('has an entity tag, and changes with the endpoints', async () => {
    const gateway = await gatewayFor();
    for (const path of ['/api/endpoints', '/api/openapi.json']) {
      gateway.useShape(shapeOf([logs, totals, odd]));
      const { headers } = await gateway.call(path);
      const known = [['If-None-Match', headers.etag ?? '']] as const;
      expect((await gateway.call(path, { headers: known })).status).toBe(304);
      gateway.useShape(shapeOf([logs]));
      expect((await gateway.call(path, { headers: known })).status).toBe(200);
    }
  });
});

describe('a key', () => {
  test('sees only the endpoints and values that it may use', async () => {
    const gateway = await gatewayFor({
      projects: new Set(['mine', 'ours']),
      pins: new Map([['level', 'error']]),
    });
    const { endpoints } = JSON.parse((await gateway.call('/api/endpoints')).body);
    expect(endpoints).toHaveLength(1);
    const [project, level] = endpoints[0].parameters;
    expect(project).toMatchObject({ required: true, values: ['mine', 'ours'], example: 'mine' });
    expect(level).toMatchObject({ required: false, values: ['error'], default: 'error' });
    expect(endpoints[0].tables).toEqual([]);
    const { paths } = JSON.parse((await gateway.call('/api/openapi.json')).body);
    expect(Object.keys(paths).filter((path) => path.includes('/query/'))).toEqual([
      `/api/endpoints/query/${logs.name}`,
    ]);
    expect((await gateway.call('/api/endpoints/totals')).status).toBe(403);
  });

  test('of another endpoint does not learn that one exists', async () => {
    const gateway = await gatewayFor({ endpoints: new Set(['totals']) });
    const existing = await gateway.call(`/api/endpoints/${logs.name}`);
    const missing = await gateway.call('/api/endpoints/nothing');
    expect([existing.status, missing.status]).toEqual([403, 403]);
  });
});

describe('the OpenAPI document', () => {
  async function documentFor(bounds: Partial<Caller> = {}) {
    const gateway = await gatewayFor(bounds);
    return JSON.parse((await gateway.call('/api/openapi.json')).body);
  }

  test("passes Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    for (const bounds of [
      {},
      { scopes: new Set(['query', 'admin', 'write'] as const) },
      { endpoints: new Set(['none']) },
    ]) {
      const source = JSON.stringify(await documentFor(bounds));
      const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    }
  });

  test('has typed parameters and rows', async () => {
    const { paths, components } = await documentFor();
    const { get } = paths[`/api/endpoints/query/${logs.name}`];
    expect(get.operationId).toBe('logsAll');
    expect(get.parameters).toMatchObject([
      { name: 'project', in: 'query', required: true, schema: { type: 'string' }, example: 'demo' },
      { name: 'level', schema: { enum: ['info', 'error'], default: 'info' } },
      { name: 'count', schema: { type: 'integer', minimum: 1, maximum: 50 } },
      { name: 'ids', schema: { type: 'array', items: { type: 'integer' }, maxItems: 3 } },
      { name: 'since', schema: { format: 'date-time' } },
      { name: 'filter' },
      { name: 'code' },
      { name: 'format', required: false, schema: { enum: ['json', 'ndjson', 'csv', 'parquet', 'arrow'] } },
      { name: 'timestamps', schema: { enum: ['micros', 'iso'] } },
      { name: 'json', schema: { enum: ['text', 'inline'] } },
    ]);
    expect(components.schemas.LogsAllRow).toMatchObject({
      properties: {
        id: { type: ['string', 'null'], description: 'The id of the row.' },
        timestamp: { type: ['integer', 'string', 'null'] },
        metadata: { type: 'array', items: { properties: { path: { type: ['string', 'null'] } } } },
      },
      required: ['id', 'timestamp', 'metadata'],
    });
  });

  test('has the formats of the rows, and the error for others', async () => {
    const { paths, components } = await documentFor();
    const { get, post } = paths[`/api/endpoints/query/${logs.name}`];
    const types = [
      'application/json',
      'application/x-ndjson',
      'text/csv',
      'application/vnd.apache.parquet',
      'application/vnd.apache.arrow.stream',
    ];
    for (const { responses } of [get, post]) {
      expect(Object.keys(responses[200].content)).toEqual(types);
      expect(responses[406]).toEqual({ $ref: '#/components/responses/Error406' });
    }
    expect(components.responses.Error406.description).toContain('`NOT_ACCEPTABLE`');
    const { properties } = post.requestBody.content['application/json'].schema;
    expect(properties).toMatchObject({ format: {}, timestamps: {}, json: {} });
  });

  test.each([
    ['/api/caller', '/api/caller', []],
    [
      '/api/endpoints/{endpoint}',
      `/api/endpoints/${logs.name}`,
      ['activity', 'stale', 'unavailable', 'deprecated', 'sunset', 'older'],
    ],
  ])('describes the answer of %s', async (path, target, asked) => {
    const gateway = await gatewayFor();
    const { paths } = await documentFor();
    const { schema } = paths[path].get.responses[200].content['application/json'];
    const told = Object.keys(JSON.parse((await gateway.call(target)).body));
    expect([...told, ...asked].toSorted()).toEqual(Object.keys(schema.properties).toSorted());
    expect(told).toEqual(expect.arrayContaining(schema.required));
  });

  test('escapes odd names', async () => {
    const gateway = await gatewayFor();
    const { paths } = await documentFor();
    const [path = ''] = Object.keys(paths).filter((each) => paths[each].get?.operationId === 'odd');
    expect(path).toBe('/api/endpoints/query/gr%C3%B6%C3%9Fe%20100%20%25%2F%7Bx%7D');
    expect((await gateway.call(path)).status).toBe(200);
  });

  test('has what the scopes of the key permit, and no more', async () => {
    const routes = async (...scopes: ('query' | 'admin' | 'write')[]) =>
      Object.keys((await documentFor({ scopes: new Set(scopes) })).paths).filter(
        (path) => path.includes('/{') || path === '/api/logs',
      );
    expect(await routes('query')).toEqual(['/api/endpoints/{endpoint}', '/api/boards/{board}']);
    expect(await routes('write')).toEqual(
      expect.arrayContaining(['/api/sources/{source}/rows', '/api/logs']),
    );
    expect(await routes('admin')).toContain('/api/endpoints/cache/{endpoint}');
  });

  test('has the routes for operators for unrestricted keys with the scope admin', async () => {
    const operating = ['/api/operations', '/api/keys', '/api/keys/{key}', '/api/endpoints/cache'];
    const admin = { scopes: new Set(['admin'] as const) };
    expect(Object.keys((await documentFor(admin)).paths)).toEqual(expect.arrayContaining(operating));
    for (const bounds of [
      { scopes: new Set(['query', 'write'] as const) },
      { ...admin, projects: new Set(['a']) },
      { ...admin, endpoints: new Set(['logs.all']) },
    ]) {
      const paths = Object.keys((await documentFor(bounds)).paths);
      expect(paths.filter((path) => operating.includes(path))).toEqual([]);
    }
  });
});
