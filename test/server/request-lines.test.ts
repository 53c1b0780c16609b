import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { RequestLine } from '../../src/log/request-line.ts';
import { eventually } from '../acceptance/support/processes.ts';
import { fakeExecutor, runGateway } from './running-gateway.ts';

/** A gateway, and what it tells of requests. */
async function watchedGateway(fakes: Parameters<typeof runGateway>[0] = {}) {
  const lines: RequestLine[] = [];
  const gateway = await runGateway({ ...fakes, logRequest: (line) => lines.push(line) });
  return { ...gateway, lines };
}

test('whoever refuses a request, its line has the code', async () => {
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
  executor.execute = (call) =>
    execute(call).catch((error) => {
      call.inVain?.(7);
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
