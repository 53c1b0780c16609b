import { describe, expect, test } from 'vitest';
import type { RequestLine } from '../../../src/server/http/request/request-log.ts';
import { RequestCounter } from '../../../src/server/limits/request-counter.ts';
import { runForAgents } from './support/agent.ts';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

const callOf = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });

describe('a broken message', () => {
  test.each([
    ['', 400, -32_700],
    ['{', 400, -32_700],
    ['"text"', 400, -32_700],
    ['{}', 400, -32_700],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_700],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32_700],
    ['{"jsonrpc":"2.0","id":1,"method":"nothing"}', 200, -32_601],
    [callOf({}), 200, -32_602],
    [callOf({ name: 1 }), 200, -32_602],
    [callOf({ name: 'totals', arguments: [1] }), 200, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":1}}', 200, -32_602],
    [callOf({ name: '__proto__' }), 200, -32_602],
    [callOf({ name: 'totals', task: {} }), 200, -32_603],
  ])('%s is answered with status %s and error %s', async (message, status, code) => {
    const { send, calls } = await runForAgents();
    const response = await send(message);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(calls).toEqual([]);
  });

  test.each([
    [`${'['.repeat(200)}`, {}, 400, /nested/],
    [`{"a":"${'x'.repeat(1_000_000)}"}`, {}, 413, /1,000,000 bytes/],
    [ping, { 'Content-Type': 'text/plain' }, 415, /text\/plain/],
    [ping, { 'X-API-KEY': 'unknown' }, 401, /Unauthorized/],
    [ping, { 'X-API-KEY': 'import' }, 403, /permission/],
  ])('is refused as by REST, as is %.40s with %j', async (message, headers, status, error) => {
    const { send } = await runForAgents();
    const response = await send(message, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(error) });
  });

  test.each([
    [{ Accept: 'text/html' }, 406],
    [{ 'MCP-Protocol-Version': '1999-01-01' }, 400],
  ])('is refused by the protocol for %j', async (headers, status) => {
    const { send } = await runForAgents();
    const response = await send(ping, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
  });

  test('without UTF-8 is refused', async () => {
    const { gateway } = await runForAgents();
    const headers = [
      ['X-API-KEY', 'owner'],
      ['Content-Type', 'application/json'],
    ] as const;
    const reply = await gateway.call('/mcp', {
      method: 'POST',
      anonymous: true,
      headers,
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect(reply).toMatchObject({ status: 400, body: expect.stringContaining('UTF-8') });
  });
});

const pings = (count: number) =>
  Array.from({ length: count }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));

describe('a batch', () => {
  const list = '{"jsonrpc":"2.0","id":"b","method":"tools/list"}';
  const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

  test('is answered by an array, as protocol version 2025-03-26 has it', async () => {
    const { send } = await runForAgents();
    const call = callOf({ name: 'logsAll', arguments: { project: 'a' } });
    const response = await send(`[${ping},${call},${notification},${list}]`);
    expect(response.status).toBe(200);
    const answers = (await response.json()) as { id: unknown }[];
    expect(answers.map(({ id }) => id)).toEqual([1, 7, 'b']);
    expect(answers).toMatchObject([
      { result: {} },
      { result: { structuredContent: { total_rows: 2 } } },
      { result: { tools: [{ name: 'logsAll' }, {}, {}] } },
    ]);
  });

  test('of notifications gets no answer', async () => {
    const { send } = await runForAgents();
    const response = await send(`[${notification},${notification}]`);
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  test('has an error for a message that fails, beside the answers to the others', async () => {
    const { send } = await runForAgents();
    const response = await send(`[${ping},${callOf({ name: 'nothing' })}]`);
    expect(await response.json()).toMatchObject([
      { id: 1, result: {} },
      { id: 7, error: { code: -32_602 } },
    ]);
  });

  test('can’t cancel its own requests: they are answered', async () => {
    const { send } = await runForAgents();
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}';
    const response = await send(`[${callOf({ name: 'totals' })},${cancel}]`);
    expect(await response.json()).toMatchObject({ id: 7, result: {} });
  });

  test.each([
    ['[]', -32_600, 'The batch is empty.'],
    [`[${pings(11)}]`, -32_600, 'A batch can have at most 10 messages.'],
    [`[${ping},${ping}]`, -32_600, 'Two requests of the batch have the same id.'],
    [`[${ping},1]`, -32_700, 'Parse error: Invalid JSON-RPC message'],
    ['[null]', -32_700, 'Parse error: Invalid JSON-RPC message'],
  ])('that is broken is refused as a whole: %.60s', async (batch, code, message) => {
    const { send, calls } = await runForAgents();
    const response = await send(batch);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', error: { code, message }, id: null });
    expect(calls).toEqual([]);
  });
});

test('comes only from pages of the allowed origins, if they are listed', async () => {
  const origins = ['https://app.example', 'https://evil.example', 'null'];
  const statusesFor = async (CORS_ORIGINS: string) => {
    const { send } = await runForAgents(undefined, { environment: { CORS_ORIGINS } });
    const statuses = origins.map(async (Origin) => (await send(ping, { Origin })).status);
    return [...(await Promise.all(statuses)), (await send(ping)).status];
  };
  expect(await statusesFor('https://app.example')).toEqual([200, 403, 403, 200]);
  expect(await statusesFor('*')).toEqual([200, 200, 200, 200]);
});

test('a notification gets no answer', async () => {
  const { send } = await runForAgents();
  const response = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  expect(response.status).toBe(202);
  expect(await response.text()).toBe('');
});

test('there is nothing to stream and no session to end', async () => {
  const { gateway } = await runForAgents();
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const reply = await gateway.call('/mcp', { method, anonymous: true, headers: [['X-API-KEY', 'owner']] });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
  }
  const preflight = await gateway.call('/mcp', { method: 'OPTIONS', anonymous: true });
  expect(preflight).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-headers': expect.stringContaining('MCP-Protocol-Version') },
  });
});

test('messages count towards the rate of the key', async () => {
  const { send } = await runForAgents(undefined, {
    limits: { counter: new RequestCounter(), trustedProxies: 0 },
  });
  const statuses: number[] = [];
  for (let request = 0; request < 4; request++) {
    statuses.push((await send(ping, { 'X-API-KEY': 'rare' })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('the log line of a call has the endpoint, the rows and the error', async () => {
  const lines: RequestLine[] = [];
  const { send } = await runForAgents(undefined, { logRequest: (line) => lines.push(line) });
  await send(callOf({ name: 'logsAll', arguments: { project: 'a' } }));
  await send(callOf({ name: 'logsAll', arguments: {} }));
  await send('{');
  await expect.poll(() => lines.length).toBe(3);
  expect(lines).toMatchObject([
    { key: 'owner', endpoint: 'logs.all', rows: 2, status: 200, cache: 'off' },
    { endpoint: 'logs.all', error: 'BAD_USER_INPUT', status: 200 },
    { error: 'BAD_USER_INPUT', status: 400 },
  ]);
});
