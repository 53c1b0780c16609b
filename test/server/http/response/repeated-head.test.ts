import { createServer, type ServerOptions } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { writeRepeatedHead } from '../../../../src/server/http/response/repeated-head.ts';

const cors = ['Access-Control-Allow-Origin', '*'];

interface Sent {
  readonly requestId?: string;
  readonly lines?: readonly string[];
}

/** Sends requests on one connection, and returns what is answered to each, with how often headers were made. */
async function answers(given: readonly Sent[], now: () => number, options: ServerOptions = {}) {
  let made = 0;
  const of = {};
  let count = 0;
  const server = createServer(options, (_, response) => {
    const requestId = given[count++]?.requestId ?? 'an-id-of-a-request-1';
    const headers = () => {
      made += 1;
      return ['Content-Length', '2', 'ETag', '"x"'];
    };
    if (response.req.url === '/set') response.setHeader('RateLimit', 'r=1');
    writeRepeatedHead({ response, requestId, cors }, { of, form: 'a', now: now(), headers });
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const requests = given.map(({ lines = ['GET / HTTP/1.1'] }) => `${lines.join('\r\n')}\r\nHost: x\r\n\r\n`);
  socket.write(requests.join(''));
  socket.end();
  const [, ...heads] = (await text(socket)).split('HTTP/1.1 ');
  return { made, heads: heads.map((head) => head.replace(/Date: .*/, 'Date: now')) };
}

test('a head is repeated with the id of each request, as Node writes it', async () => {
  const ids = ['an-id-of-a-request-1', 'X-Content-Type-Options', 'an-id-of-a-request-3'];
  const { made, heads } = await answers(
    ids.map((requestId) => ({ requestId })),
    () => 1_000,
  );
  expect(made).toBe(1);
  const [first = ''] = heads;
  expect(first).toContain('ETag: "x"\r\nX-Content-Type-Options: nosniff\r\n');
  expect(first).toContain('Connection: keep-alive\r\nKeep-Alive: timeout=');
  expect(heads).toEqual(ids.map((id) => first.replace('an-id-of-a-request-1', id)));
});

test('each second has heads of its own, since they tell the time', async () => {
  let now = 10_000;
  const { made } = await answers([{}, {}, {}, {}], () => (now += 500));
  expect(made).toBe(3);
});

test('a connection that closes says so', async () => {
  const { heads } = await answers([{}, { lines: ['GET / HTTP/1.1', 'Connection: close'] }], () => 20_000);
  expect(heads[0]).toContain('Connection: keep-alive');
  expect(heads[1]).toContain('Connection: close');
});

test('headers that were set before are sent with this answer only', async () => {
  const { heads } = await answers([{}, { lines: ['GET /set HTTP/1.1'] }, {}], () => 30_000);
  expect(heads.map((head) => head.includes('RateLimit'))).toEqual([false, true, false]);
});
