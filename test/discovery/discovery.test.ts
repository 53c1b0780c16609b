import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { keyAccess } from '../../src/access/access.ts';
import type { Caller } from '../../src/access/caller.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { endpointCatalog } from '../../src/endpoints/endpoint-catalog.ts';
import { buildShape } from '../../src/graphql/shape/build-shape.ts';
import { logs, totals } from '../mcp/support/agent.ts';
import { runGateway } from '../server/running-gateway.ts';

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
    expect(await routes('query')).toEqual(['/api/endpoints/{endpoint}']);
    expect(await routes('write')).toEqual(
      expect.arrayContaining(['/api/sources/{source}/rows', '/api/logs']),
    );
    expect(await routes('admin')).toContain('/api/endpoints/cache/{endpoint}');
  });
});
