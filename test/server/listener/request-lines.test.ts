import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { RequestLine } from '../../../src/server/http/request/request-log.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { fakeExecutor, runGateway } from './running-gateway.ts';

/** A gateway, and what it tells of requests. */
async function watchedGateway(fakes: Parameters<typeof runGateway>[0] = {}) {
  const lines: RequestLine[] = [];
  const gateway = await runGateway({ ...fakes, logRequest: (line) => lines.push(line) });
  return { ...gateway, lines };
}

test('the log line of every refused request has the error code', async () => {
  const { call, lines } = await watchedGateway({ isReady: () => false });
  const many = Array.from({ length: 201 }, (_, index) => [`X-${index}`, ''] as const);
  await call('/nothing');
  await call('/livez', { method: 'POST' });
  await call('/readyz');
  await call('/livez', { headers: many });
  await call('/graphql', { headers: many });
  expect(lines.map(({ path, status, error }) => [path, status, error])).toEqual([
    ['/nothing', 404, 'NOT_FOUND'],
    ['/livez', 405, 'METHOD_NOT_ALLOWED'],
    ['/readyz', 503, 'BACKEND_UNAVAILABLE'],
    ['/livez', 431, 'REQUEST_HEADERS_TOO_LARGE'],
    ['/graphql', 431, 'REQUEST_HEADERS_TOO_LARGE'],
  ]);
});

test('the line of a client that has left says how long the engine worked for it', async () => {
  const executor = fakeExecutor(() => new Promise<never>(() => {}));
  const { execute } = executor;
  executor.execute = (call, run) =>
    execute(call, run).catch((error) => {
      if (run.progress) run.progress.engineMs = 7;
      throw error;
    });
  const { port, lines } = await watchedGateway({ executor });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api/endpoints/query/redacted HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n\r\n');
  await eventually('it runs', () => executor.calls.length === 1);
  socket.destroy();
  await eventually('it is told of', () => lines.length === 1);
  expect(lines[0]).toMatchObject({ status: 499, aborted: true, engineMs: 7 });
  expect(lines[0]?.error).toBeUndefined();
});

test('malformed HTTP is logged in one line with the response', async () => {
  const { port, lines } = await watchedGateway();
  const head = 'Host: x\r\nX-API-KEY: key\r\nContent-Type: application/json\r\n';
  const chunked = `POST /graphql HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`;
  const sent: string[][] = [
    ['nonsense\r\n\r\n'],
    [`CONNECT a:1 HTTP/1.1\r\n${head}\r\n`],
    [`${chunked}no length\r\n`],
    [chunked.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'), 'no length\r\n'],
  ];
  for (const [index, pieces] of sent.entries()) {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (more) => {
      received += more;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const [first = '', ...further] = pieces;
    socket.write(first);
    for (const piece of further) {
      await eventually('the body is waited for', () => received !== '');
      received = '';
      socket.write(piece);
    }
    await closed;
    await eventually('it is told of', () => lines.length > index);
    const [, body = ''] = received.split('\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(lines.slice(index)).toEqual([
      expect.objectContaining({ status: 400, error: 'BAD_USER_INPUT', bytes: Buffer.byteLength(body) }),
    ]);
    expect(lines[index]?.aborted).toBeUndefined();
  }
  expect(lines.map(({ path }) => path)).toEqual([undefined, undefined, undefined, '/graphql']);
});
