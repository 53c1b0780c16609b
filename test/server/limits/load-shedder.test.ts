import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import type { Account } from '../../../src/base/fairness/account.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { RequestLine } from '../../../src/server/http/request/request-log.ts';
import { LoadShedder } from '../../../src/server/limits/load-shedder.ts';
import { fakeExecutor, runGateway } from '../listener/running-gateway.ts';

const full = new GatewayError('OVERLOADED', 'Too many queries are waiting', { retryAfterSeconds: 2.5 });
const path = '/api/endpoints/query/logs.all?project=a';
const caller = { name: 'a', redact: false, scopes: everyScope };
const noRows = { columns: [], rows: [], truncated: false, engineMs: 0 };

/** Permits that are all taken, so that only some may wait. */
const permits = (isRefused: (account: Account) => boolean) => ({
  areTaken: true,
  refusal: (account: Account) => (isRefused(account) ? full : undefined),
});

/** A gateway in which every other query may be refused, and every query waits until the test lets it go. */
async function crowded() {
  let isFull = false;
  const waiting: (() => void)[] = [];
  const executor = fakeExecutor(() => new Promise((resolve) => void waiting.push(() => resolve(noRows))));
  const gateway = await runGateway({ executor, permits: permits(() => isFull) });
  return {
    ...gateway,
    waiting,
    fill(isNow = true) {
      isFull = isNow;
    },
    announceClose: () => waiting.splice(0).forEach((go) => void go()),
    untilWaiting: (count: number) => expect.poll(() => waiting.length).toBe(count),
  };
}

test('while the queue is full, further queries are refused, and other requests answered', async () => {
  const { call, fill, executor } = await crowded();
  fill();
  const refused = await call(path);
  expect(refused).toMatchObject({
    status: 503,
    body: '{"error":"Too many queries are waiting","code":"OVERLOADED"}',
  });
  expect(refused.headers).toMatchObject({ 'retry-after': '3', 'access-control-allow-origin': '*' });
  expect((await call(path, { method: 'HEAD' })).status).toBe(503);
  expect(executor.calls).toHaveLength(0);
  expect((await call(path, { method: 'OPTIONS' })).status).toBe(204);
  expect((await call('/readyz')).status).toBe(200);
});

test('what is refused is recorded and logged with its key and its endpoint', async () => {
  const recorded: unknown[] = [];
  const lines: RequestLine[] = [];
  const { call } = await runGateway({
    permits: permits(() => true),
    logRequest: (line) => lines.push(line),
    records: {
      calls: { record: (calls, { name } = caller) => void recorded.push([name, ...calls]) },
      changes: { record() {} },
    },
  });
  expect((await call(path)).status).toBe(503);
  await expect
    .poll(() => recorded)
    .toEqual([
      [
        'owner',
        { endpoint: 'logs.all', version: 1, class: 'default', rows: 0, engineMs: 0, code: 'OVERLOADED' },
      ],
    ]);
  expect(lines[0]).toMatchObject({ status: 503, error: 'OVERLOADED', key: 'owner', endpoint: 'logs.all' });
});

test('a request identical to one in flight shares it, but not afterwards', async () => {
  const { call, fill, announceClose, untilWaiting } = await crowded();
  const first = call(path);
  await untilWaiting(1);
  fill();
  const second = call(path);
  await untilWaiting(2);
  expect((await call(`${path}b`)).status).toBe(503);
  announceClose();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect((await call(path)).status).toBe(503);
});

test('a body is read before its query is refused', async () => {
  const { call, fill, announceClose, untilWaiting } = await crowded();
  fill();
  const posted = call(path, {
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    body: '{"project":"b"}',
  });
  await untilWaiting(1);
  announceClose();
  expect((await posted).status).toBe(200);
});

test('a request with a cached response is not refused', () => {
  const request = { url: path, method: 'GET', headers: {} } as IncomingMessage;
  const response = new EventEmitter() as unknown as ServerResponse;
  const shedder = (isCached: boolean) =>
    new LoadShedder({
      permits: permits(() => true),
      callerOf: () => caller,
      askedBy: () => ({ endpoint: undefined, class: 'default' }),
      isCached: () => isCached,
    });
  expect(shedder(false).enter(request, response)).toMatchObject({ error: full, caller });
  expect(shedder(true).enter(request, response)).toBeUndefined();
});

test('only requests of the account are refused that has too many', () => {
  const response = new EventEmitter() as unknown as ServerResponse;
  const shedder = new LoadShedder({
    permits: permits(({ key }) => key === 'key flooder'),
    callerOf: ({ headers }) => (headers.from === undefined ? undefined : { ...caller, name: headers.from }),
    askedBy: () => ({ endpoint: undefined, class: 'default' }),
    isCached: () => false,
  });
  const refused = (from?: string) => {
    const request = { url: `/${from}`, method: 'GET', headers: { ...(from && { from }) } };
    return shedder.enter(request as IncomingMessage, response) !== undefined;
  };
  expect([refused('flooder'), refused('other'), refused()]).toEqual([true, false, false]);
});
