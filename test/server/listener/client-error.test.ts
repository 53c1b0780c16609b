import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { answerClientError } from '../../../src/server/listener/client-error.ts';
import { portOf } from '../../support/redis.ts';

const timeout = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** What a client is answered whose time is over after it has sent a text. */
async function answered(text: string) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect(portOf(server), '127.0.0.1').setEncoding('latin1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  if (text !== '') {
    client.write(text);
    await once(socket, 'data');
  }
  let received = '';
  client.on('data', (data) => {
    received += data;
  });
  const told = answerClientError(timeout, socket, true, {
    requestId: 'id',
    cors: ['Access-Control-Allow-Origin', '*'],
  });
  await once(client, 'close');
  return { told: told?.error, received };
}

test('a request that does not arrive in time gets an error', async () => {
  const { told, received } = await answered('GET / HT');
  expect(told).toBe('BAD_USER_INPUT');
  expect(received).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n.*"The request did not arrive in time\."/s);
});

test('a connection on which nothing ever came, as balancers open them in advance, is closed without a word', async () => {
  expect(await answered('')).toEqual({ told: undefined, received: '' });
});
