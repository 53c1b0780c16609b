import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fakeExecutor, noRows, runGateway, sendRaw } from './running-gateway.ts';

const path = '/api/endpoints/query/logs.all';
const head = `GET ${path}?project=a HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n`;
const large = {
  ...noRows,
  columns: [{ name: 'text', type: { kind: 'STRING' } as const }],
  rows: Array.from({ length: 40 }, () => ['x'.repeat(1_000_000)]),
};

/** Asks for something large, reads nothing of it, and says whether the connection is cut. */
async function isCut(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`${head}\r\n`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // Who doesn't read learns of the end only by writing. Empty lines between requests say nothing.
  const asking = setInterval(() => socket.write('\r\n'), 20);
  const patience = setTimeout(resolve, 60_000, false);
  socket.once('close', () => resolve(true));
  const outcome = await promise;
  clearInterval(asking);
  clearTimeout(patience);
  socket.destroy();
  return outcome;
}

describe('a client that reads nothing of its answer', () => {
  test('is cut after a while', async () => {
    const slowReaders = { everyMs: 20, timeoutMs: 100, minBytesPerSecond: 1e6 };
    const gateway = await runGateway({ executor: fakeExecutor(() => large), slowReaders });
    expect(await isCut(gateway.port)).toBe(true);
    expect((await gateway.call('/readyz')).status).toBe(200);
  });

  test('is let be while it reads at a fair pace', async () => {
    const slowReaders = { everyMs: 20, timeoutMs: 500, minBytesPerSecond: 100_000 };
    const gateway = await runGateway({ executor: fakeExecutor(() => large), slowReaders });
    const socket = connect(gateway.port, '127.0.0.1');
    let length = 0;
    socket.write(`${head}Connection: close\r\n\r\n`);
    for await (const piece of socket) {
      length += piece.length;
      await pause(2);
    }
    expect(length).toBeGreaterThan(40_000_000);
  });
});

describe('a request with too much of something', () => {
  test.each([
    ['headers', '431', `${head}${'X-A: b\r\n'.repeat(300)}\r\n`],
    [
      'the URL',
      '414',
      `GET ${path}?project=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nConnection: close\r\n\r\n`,
    ],
  ])('%s is answered %s', async (_, status, text) => {
    const gateway = await runGateway();
    expect(await sendRaw(gateway.port, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('requests that wait on one connection: the further ones are refused, and the connection closed', async () => {
    const held = Promise.withResolvers<typeof noRows>();
    const executor = fakeExecutor(() => held.promise);
    const gateway = await runGateway({ executor });
    const received = sendRaw(gateway.port, `${head}\r\n`.repeat(150));
    await expect.poll(() => executor.calls.length).toBe(100);
    held.resolve(noRows);
    const statuses = [...(await received).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual([...Array(100).fill('200'), '503']);
  });
});

describe('every answer', () => {
  test.each([
    ['a good one', `${head}Connection: close\r\n\r\n`],
    ['a refusal', 'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['one to what is no HTTP', 'nonsense\r\n\r\n'],
    [
      'one of GraphQL',
      'GET /graphql?query={__typename} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nConnection: close\r\n\r\n',
    ],
  ])('has the headers that keep browsers from harm, %s too', async (_, text) => {
    const gateway = await runGateway();
    const received = await sendRaw(gateway.port, text);
    expect(received).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
    expect(received).toContain("\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n");
    expect(received).toContain('\r\nReferrer-Policy: no-referrer\r\n');
  });
});
