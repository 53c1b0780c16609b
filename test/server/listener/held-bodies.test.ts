import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runGateway } from './running-gateway.ts';

const path = '/api/endpoints/query/logs.all?project=a';
const piece = Buffer.alloc(11_000_000, ' ');

/** Sends a body of 12 MB but for its end. */
function sendMost(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Type: application/json\r\nContent-Length: 12000000\r\n\r\n`,
  );
  socket.write(piece);
  return socket;
}

test('bodies of a key together take bounded memory: the largest are refused, until others have gone', async () => {
  const gateway = await runGateway({ requestTimeoutMs: 60_000 });
  const senders = Array.from({ length: 12 }, () => sendMost(gateway.port));
  const refused = await Promise.race(
    senders.map(
      (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(`${data}`))),
    ),
  );
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  expect(refused).toContain('The request bodies of this key would take more than 128 MB of memory');
  expect(refused).toMatch(/\r\nRetry-After: 1\r\n/i);

  for (const socket of senders) socket.destroy();
  const headers = [['Content-Type', 'application/json'] as const];
  const large = { method: 'POST', headers, body: Buffer.concat([piece, Buffer.from('{}')]) };
  await expect.poll(async () => (await gateway.call(path, large)).status, { timeout: 10_000 }).toBe(200);
});
