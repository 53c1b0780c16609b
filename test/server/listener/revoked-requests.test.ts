import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { presentedKey } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';
import { fakeExecutor, plainEndpoint, runGateway } from './running-gateway.ts';

/** A gateway with the key `key`, and a hold of its store, which lasts until its connection ends. */
async function holding() {
  const clock = new ManualClock();
  const callers = new Map<string | undefined, Caller>([
    ['key', { name: 'owner', redact: false, scopes: everyScope }],
  ]);
  let holds = 0;
  const gateway = await runGateway({
    clock,
    access: {
      authenticate: (headers) => callers.get(presentedKey(headers)),
      isValid: (caller) => callers.get('key') === caller,
    },
    requestTimeoutMs: 25_000,
    async holdStore(task) {
      holds += 1;
      try {
        return await task({ file: 'f', fileBytes: 1, logBytes: 1, rows: new Map() });
      } finally {
        holds -= 1;
      }
    },
  });
  const socket = connect(gateway.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let isClosed = false;
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  socket.resume();
  socket.write(
    'POST /api/store/hold HTTP/1.1\r\nHost: a\r\nX-API-KEY: key\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  await expect.poll(() => holds).toBe(1);
  return { clock, callers, gateway, held: () => holds, isClosed: () => isClosed };
}

test.each([0, 60_000])('an answer that is sent for %i ms ends when its key is revoked', async (age) => {
  const { clock, callers, gateway, held, isClosed } = await holding();
  await clock.advance(age);
  expect(held()).toBe(1);
  callers.delete('key');
  await clock.advance(1000);
  await expect.poll(isClosed).toBe(true);
  await expect.poll(held).toBe(0);
  expect(gateway.log.lines).toContain('warn: a request was cut: its key is no longer valid');
});

test('an export without a first row ends after the time of a query when its key is revoked', async () => {
  const clock = new ManualClock();
  let isValid = true;
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gateway = await runGateway({
    clock,
    access: {
      authenticate: () => ({ name: 'owner', redact: false, scopes: everyScope }),
      isValid: () => isValid,
    },
    requestTimeoutMs: 25_000,
    endpoints: endpointCatalog([{ ...plainEndpoint, name: 'export', exportRows: 1_000_000 }]),
    executor: {
      ...fakeExecutor(),
      stream: (_call, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ended.resolve();
            reject(signal.reason);
          });
          begun.resolve();
        }),
    },
  });
  const asked = gateway.call('/api/endpoints/query/export?format=csv').catch(() => 'cut');
  await begun.promise;
  isValid = false;
  await clock.advance(27_000);
  await ended.promise;
  expect(await asked).toBe('cut');
});

test.each(['/api/endpoints/query/logs.all', '/graphql', '/mcp', '/api/keys', '/api/sources/edge/rows'])(
  'a body that is complete only after its key was revoked changes and reads nothing at %s',
  async (path) => {
    const caller: Caller = { name: 'owner', redact: false, scopes: everyScope };
    let isValid = true;
    let imported = 0;
    const changed: string[] = [];
    const gateway = await runGateway({
      access: { authenticate: () => (isValid ? caller : undefined), isValid: () => isValid },
      keys: {
        fixed: [],
        read: async () => [],
        async put(change) {
          changed.push('a key');
          return change([]);
        },
        uses: async () => new Map(),
      },
      async receiveRows(_source, body) {
        for await (const piece of body) imported += piece.length;
        changed.push('rows');
        return { imported: 1, duplicates: 0, rejected: [], rejectedCount: 0 };
      },
    });
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (piece: string) => {
      text += piece;
    });
    const body = JSON.stringify({ name: 'mine', project: 'mine', query: '{ __typename }' });
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'X-API-KEY: key',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // The gateway reads the body, so it has admitted the caller.
    await expect.poll(() => text).toContain('100 Continue');
    isValid = false;
    socket.write(body);
    await expect.poll(() => text).toMatch(/HTTP\/1\.1 [2-5]/);
    expect(text).toContain('HTTP/1.1 401 ');
    expect(text).toContain('allows something else now');
    expect([changed, imported, gateway.executor.calls]).toEqual([[], 0, []]);
  },
);
