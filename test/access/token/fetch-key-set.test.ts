import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createRemoteJWKSet, customFetch } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { keySetFetching } from '../../../src/access/token/fetch-key-set.ts';
import { portOf } from '../../support/redis.ts';

/** Fetches what a server answers. */
async function fetched(answer: (response: ServerResponse) => void, options = {}): Promise<unknown> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${portOf(server)}/jwks.json`);
  const keySet = createRemoteJWKSet(url, { ...keySetFetching, ...options });
  await keySet.reload();
  return keySet.jwks();
}

const set = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] };

test('a key set is fetched', async () => {
  expect(await fetched((response) => response.end(JSON.stringify(set)))).toEqual(set);
});

test('one without an end is read up to a limit, and its connection ends', async () => {
  const closed = Promise.withResolvers<void>();
  let sent = 0;
  const endless = (response: ServerResponse) => {
    const piece = Buffer.alloc(100_000, ' ');
    const more = () => {
      sent += piece.length;
      if (response.write(piece)) setImmediate(more);
    };
    response.on('drain', more).on('close', () => closed.resolve());
    more();
  };
  await expect(fetched(endless)).rejects.toThrow('it is larger than 1 MB');
  await closed.promise;
  expect(sent).toBeLessThan(50_000_000);
});

test('one that is small only while it is compressed is not read either', async () => {
  const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
  await expect(fetched(answer)).rejects.toThrow('it is larger than 1 MB');
});

test('one that never comes to its end is given up', async () => {
  const answer = (response: ServerResponse) => void response.write('{');
  // The library's clock is the real one.
  await expect(fetched(answer, { timeoutDuration: 100 })).rejects.toThrow('it took longer than');
});

test('one that ends too early, or is not there, is no fault of a token', async () => {
  const answer = (response: ServerResponse) =>
    void response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy());
  await expect(fetched(answer)).rejects.toThrow('the connection failed');
  const request = keySetFetching[customFetch]?.('http://127.0.0.1:1/', {
    ...{ method: 'GET', redirect: 'manual', headers: new Headers(), signal: AbortSignal.timeout(5_000) },
  });
  await expect(request).rejects.toThrow('the connection failed');
});
