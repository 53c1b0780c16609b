import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Collector } from '../server/observability/tracing/collector.ts';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let collector: Collector;
let gateway: Gateway;

beforeAll(async () => {
  [workspace, collector] = await Promise.all([Workspace.withShippedSchema(), Collector.start()]);
  const row = edgeRow(new Date(), 'a-project', '/rest/v1');
  await workspace.run(['import', 'edge_logs', await workspace.writeRows('rows.ndjson', [row])]);
  gateway = await Gateway.serve(workspace, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=me',
    OTEL_SERVICE_NAME: 'the-gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});
afterAll(async () => {
  await gateway?.stop();
  collector?.close();
  await workspace?.remove();
});

const sampled = (traceId: string, isSampled = true) => `00-${traceId}-b7ad6b7169203331-0${isSampled ? 1 : 0}`;

/** The spans of a trace, once that of its request is there. */
async function traceOf(traceId: string) {
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  await eventually('the request’s span was sent', () =>
    ofTrace().some(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331'),
  );
  const spans = ofTrace();
  const tree = (parent: string): object[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .map(({ name, spanId }) => ({ name, parts: tree(spanId) }));
  return {
    spans,
    tree: tree('b7ad6b7169203331'),
    named: (name: string) => spans.find((span) => span.name === name),
  };
}

function newTrace(): string {
  return randomUUID().replaceAll('-', '');
}

test('a request is a trace of its parts, and a part of the caller’s', async () => {
  const traceId = newTrace();
  const headers = { traceparent: sampled(traceId), 'X-Request-Id': randomUUID() };
  await gateway.query('usage.api-counts', { project: 'a-project', interval: 'hourly' }, { headers });
  const { tree, named } = await traceOf(traceId);
  expect(tree).toEqual([
    {
      name: 'GET /api/endpoints/query/{endpoint}',
      parts: [
        {
          name: 'execute',
          parts: [
            { name: 'cache lookup', parts: [] },
            { name: 'engine run', parts: [] },
          ],
        },
      ],
    },
  ]);
  expect(named('GET /api/endpoints/query/{endpoint}')).toMatchObject({
    attributes: {
      'http.request.method': 'GET',
      'url.path': '/api/endpoints/query/usage.api-counts',
      'http.response.status_code': 200,
      'gateway.request_id': headers['X-Request-Id'],
      'gateway.key': 'API_KEY',
      'gateway.endpoint': 'usage.api-counts',
      'gateway.cache': 'miss',
      'gateway.rows': 1,
    },
    resource: { 'service.name': 'the-gateway', 'deployment.environment.name': 'test' },
  });
  expect(named('engine run')?.attributes).toMatchObject({ 'gateway.engine': 'duckdb', 'gateway.rows': 1 });
  expect(collector.headers[0]).toMatchObject({ path: '/v1/traces', 'x-tenant': 'me' });
});

test('an answer from the cache is a trace, too', async () => {
  const parameters = { project: 'a-project', interval: 'daily' };
  await gateway.query('usage.api-counts', parameters);
  const traceId = newTrace();
  await gateway.query('usage.api-counts', parameters, { headers: { traceparent: sampled(traceId) } });
  const { spans } = await traceOf(traceId);
  expect(spans).toHaveLength(1);
  expect(spans[0]?.attributes).toMatchObject({ 'gateway.cache': 'hit' });
});

test('planning a caller’s query is a part, and so is a failure; what it says is not', async () => {
  const traceId = newTrace();
  const reply = await gateway.query(
    'logs.all',
    { project: 'a-project', sql: 'SELECT no_such_column FROM edge_logs' },
    { headers: { traceparent: sampled(traceId) } },
  );
  expect(reply.status).toBe(400);
  const { named } = await traceOf(traceId);
  expect(named('plan')).toMatchObject({
    status: 2,
    attributes: { 'gateway.language': 'sql', 'error.type': 'BAD_USER_INPUT' },
  });
  expect(JSON.stringify(collector.spans)).not.toContain('no_such_column');
  expect(JSON.stringify(collector.spans)).not.toContain('a-project');
});

test('the parts of a GraphQL operation are in its trace', async () => {
  const traceId = newTrace();
  await gateway.call('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', traceparent: sampled(traceId) },
    body: JSON.stringify({ query: '{ logsAll(project: "a-project") { id } }' }),
  });
  const { tree } = await traceOf(traceId);
  expect(tree).toEqual([
    { name: 'POST /graphql', parts: [{ name: 'execute', parts: [{ name: 'engine run', parts: [] }] }] },
  ]);
});

test('what the caller does not trace is not traced', async () => {
  const [not, yes] = [newTrace(), newTrace()];
  await gateway.call('/readyz', { headers: { traceparent: sampled(not, false) } });
  await gateway.call('/readyz', { headers: { traceparent: sampled(yes) } });
  await traceOf(yes);
  expect(collector.spans.some(({ traceId }) => traceId === not)).toBe(false);
});
