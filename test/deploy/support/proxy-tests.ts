import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { edgeRow } from '../../acceptance/support/edge-rows.ts';
import { type CallOptions, Gateway } from '../../acceptance/support/gateway.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { Workspace } from '../../acceptance/support/workspace.ts';
import { portOf } from '../../support/redis.ts';
import { type Configure, ReverseProxy } from './reverse-proxy.ts';

/** More rows than any buffer holds. */
const numbers = `/*
id: 00000000-0000-4000-8000-000000000001
name: numbers
exportRows: 1000000
*/
SELECT i, REPEAT('x', 1000) AS text FROM UNNEST(GENERATE_ARRAY(1, 10000)) AS i
`;
/** Takes the engine longer than any test. */
const endless = `/*
id: 00000000-0000-4000-8000-000000000002
name: endless
*/
SELECT COUNT(*) AS n
FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a, UNNEST(GENERATE_ARRAY(1, 1000000)) AS b
WHERE MOD(a * b, 7) = 3
`;
const key = { 'X-API-KEY': 'a-key' };
const json = { 'Content-Type': 'application/json' };
const query = (endpoint: string) => `/api/endpoints/query/${endpoint}`;
const uploads = '/api/sources/edge_logs/rows';

interface ProxyAbilities {
  /** Whether clients see that an answer has ended too early. */
  readonly showsCutAnswers: boolean;
  /** Whether clients get the headers that follow an answer. */
  readonly passesTrailers: boolean;
}

/** What has to be true of every proxy in front of a gateway. */
export function testProxy(configure: Configure, abilities: ProxyAbilities): void {
  describe('in front of a gateway', () => withGateway(configure));
  describe('in front of any server', () => withServer(configure, abilities));
}

function withGateway(configure: Configure): void {
  let workspace: Workspace;
  let gateway: Gateway;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    workspace = await Workspace.withShippedSchema();
    await workspace.write('endpoints/numbers.sql', numbers);
    await workspace.write('endpoints/endless.sql', endless);
    gateway = await Gateway.serve(workspace, { TRUST_PROXY: '1', RATE_LIMIT_FAILED_KEYS: '2/h' });
    proxy = await ReverseProxy.start(new URL(gateway.url).host, configure);
  });
  afterAll(async () => {
    await proxy?.stop();
    await workspace?.remove();
  });

  const commit = (project: string, message: string) =>
    gateway.call('/api/logs?source=edge_logs', {
      ...{ method: 'POST', headers: json, body: JSON.stringify([{ project, event_message: message }]) },
    });

  /** A number of `/metrics`; 0 while it isn't there. */
  async function metric(line: string): Promise<number> {
    const { body } = await gateway.call('/metrics');
    const found = body.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.slice(line.length) ?? 0);
  }

  test('the events of a live answer arrive one by one, compressed or not, and the stream ends with its client', async () => {
    await commit('tail', 'before');
    const { sent, response } = proxy.open(`${query('logs.all')}?project=tail&tail=edge_logs`, {
      headers: { ...key, Accept: 'text/event-stream', 'Accept-Encoding': 'gzip, br, zstd' },
    });
    const events = await response;
    expect(events.headers['content-type']).toContain('text/event-stream');
    let seen = '';
    events.setEncoding('utf8').on('data', (piece: string) => {
      seen += piece;
    });
    events.on('error', () => {});
    for (const message of ['before', 'one', 'two']) {
      if (message !== 'before') await commit('tail', message);
      await eventually(`the event with ${message}`, () => seen.includes(`"${message}"`));
    }
    expect(await metric('gateway_live_streams')).toBe(1);
    sent.destroy();
    await eventually('the stream has ended', async () => (await metric('gateway_live_streams')) === 0);
  });

  test('the events of a GraphQL subscription arrive over HTTP/2', async () => {
    await commit('two', 'first');
    const session = connect(`https://localhost:${proxy.port}`, { ca: proxy.pem, host: '127.0.0.1' });
    onTestFinished(() => session.destroy());
    const subscription =
      'subscription { logsAllEdgeLogsTail(project: "two", last: 1) { rows { eventMessage } } }';
    const stream = session.request({
      ...{ ':path': '/graphql', ':method': 'POST', accept: 'text/event-stream' },
      ...{ 'content-type': 'application/json', 'x-api-key': 'a-key' },
    });
    stream.end(JSON.stringify({ query: subscription }));
    let seen = '';
    stream.setEncoding('utf8').on('data', (piece: string) => {
      seen += piece;
    });
    await eventually('the first event', () => seen.includes('"first"'));
    await commit('two', 'second');
    await eventually('the second event', () => seen.includes('"second"'));
  });

  test('an upload of megabytes arrives whole', async () => {
    const event_message = 'x'.repeat(10_000);
    const rows = Array.from({ length: 500 }, () => ({ ...edgeRow(new Date(), 'large'), event_message }));
    const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const { status, body: answer } = await proxy.ask(uploads, { method: 'POST', headers: key, body });
    expect([status, JSON.parse(answer)]).toMatchObject([200, { imported: 500 }]);
  });

  test('an export of megabytes arrives whole', async () => {
    const { status, body } = await proxy.ask(`${query('numbers')}?format=ndjson`, { headers: key });
    expect(status).toBe(200);
    expect(body.match(/\n/g)).toHaveLength(10_000);
  });

  test.each([
    ['an unknown endpoint', query('nothing'), {}],
    ['a query with an error', `${query('logs.all')}?project=a&sql=SELECT`, {}],
    [
      'a body that is too large',
      query('numbers'),
      { method: 'POST', headers: json, body: 'x'.repeat(13_000_000) },
    ],
    ['a URL that is too long', `${query('logs.all')}?project=${'x'.repeat(17_000)}`, {}],
    ['a method that there is not', '/api/sql', { method: 'PATCH', body: '' }],
  ])('the gateway’s answer to %s passes unchanged', async (_, target, options: CallOptions) => {
    const direct = await gateway.call(target, options);
    expect(direct.status).toBeGreaterThanOrEqual(400);
    const { status, body } = await proxy.ask(target, { ...options, headers: { ...key, ...options.headers } });
    const withoutId = (answer: string) => answer.replace(/[\da-f]{8}-[\da-f-]{27}/, '');
    expect([status, withoutId(body)]).toEqual([direct.status, withoutId(direct.body)]);
  });

  test('a URL of 16,000 characters is answered', async () => {
    const target = `${query('logs.all')}?project=${'x'.repeat(15_900)}`;
    expect(await proxy.ask(target, { headers: key })).toMatchObject({ status: 200 });
  });

  test('headers of 50,000 bytes are answered', async () => {
    const own = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`X-Own-${at}`, 'x'.repeat(10_000)]));
    expect(await proxy.ask('/livez', { headers: own })).toMatchObject({ status: 200 });
  });

  test('an upload without a key is refused before its body has been read, and its client learns why', async () => {
    const body = Buffer.alloc(20_000_000, 'x');
    const { status, body: answer } = await proxy.ask(uploads, { method: 'POST', body, from: '127.0.0.7' });
    expect([status, answer]).toMatchObject([401, expect.stringContaining('UNAUTHENTICATED')]);
  });

  test('a query ends with its client', async () => {
    const cancelled = 'gateway_engine_queries_total{endpoint="endless",engine="duckdb",outcome="cancelled"}';
    const { sent } = proxy.open(query('endless'), { headers: key });
    await eventually(
      'the query runs',
      async () => (await metric('gateway_queries_running{class="default"}')) === 1,
    );
    sent.destroy();
    await eventually('it has ended', async () => (await metric(cancelled)) === 1);
  });

  test('limits by address count the address of the client, whatever it claims', async () => {
    const wrong = (from: string) =>
      proxy.ask('/api/endpoints', {
        ...{ from, headers: { 'X-API-KEY': 'wrong', 'X-Forwarded-For': `10.0.0.${Math.random()}` } },
      });
    const statuses: unknown[] = [];
    for (let count = 0; count < 10; count++) statuses.push((await wrong('127.0.0.8')).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    expect(await wrong('127.0.0.9')).toMatchObject({ status: 401 });
  });
}

function withServer(configure: Configure, { showsCutAnswers, passesTrailers }: ProxyAbilities): void {
  let proxy: ReverseProxy;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.end();
    else handle(request, response);
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await ReverseProxy.start(`127.0.0.1:${portOf(server)}`, configure);
  });
  afterAll(async () => {
    await proxy?.stop();
    server.closeAllConnections();
    server.close();
  });

  test('the beginning of an answer arrives before its end is known', async () => {
    let finish = () => {};
    handle = (_, response) => {
      response.write('begin,');
      finish = () => response.end('end');
    };
    const response = await proxy.open('/').response;
    const [first] = await once(response, 'data');
    expect(String(first)).toBe('begin,');
    finish();
    expect(await text(response)).toBe('end');
  });

  test.skipIf(!showsCutAnswers)('an answer that ends too early ends so for its client', async () => {
    handle = (_, response) => {
      response.write('begin');
      setImmediate(() => response.destroy());
    };
    const response = await proxy.open('/').response;
    await expect(text(response)).rejects.toThrow();
  });

  test('the headers after an answer arrive, if the proxy passes them', async () => {
    handle = (_, response) => {
      response.setHeader('Trailer', 'X-Result-Truncated').write('rows');
      response.addTrailers({ 'X-Result-Truncated': 'true' });
      response.end();
    };
    const { trailers } = await proxy.ask('/');
    expect(trailers).toEqual(passesTrailers ? { 'x-result-truncated': 'true' } : {});
  });

  test('the beginning of a body arrives before its end is sent', async () => {
    let begun = () => {};
    const arrived = new Promise<void>((resolve) => {
      begun = resolve;
    });
    handle = async (request, response) => {
      request.once('data', begun);
      response.end(`${(await text(request)).length}`);
    };
    const { sent, response } = proxy.open('/', { method: 'POST' });
    sent.write('x'.repeat(1000));
    await arrived;
    sent.end('x'.repeat(1000));
    expect(await text(await response)).toBe('2000');
  });

  test('paths and queries arrive as they were sent', async () => {
    handle = ({ url }, response) => void response.end(url);
    for (const target of ['/api//x%2Fy/..%2f?a=%20b+c&a', '/v1/logs?q=%E2%82%AC'])
      expect((await proxy.ask(target)).body).toBe(target);
  });

  test('connections to the gateway are used again', async () => {
    const ports = new Set<number | undefined>();
    handle = ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end();
    };
    for (let count = 0; count < 5; count++) await proxy.ask('/');
    expect(ports.size).toBe(1);
  });
}
