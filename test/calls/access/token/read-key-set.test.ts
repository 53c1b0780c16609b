import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readKeySet } from '../../../../src/calls/access/token/read-key-set.ts';
import { portOf } from '../../../support/redis.ts';

async function fileWith(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'key-set-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'jwks.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The URL of what the listener answers. */
async function servedBy(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}/jwks.json`;
}

const { signal } = new AbortController();
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = publicKey.export({ format: 'jwk' });
const rsa = (modulusLength: number): JsonWebKey =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });
const other = { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' };

test('a key set may have keys of other kinds, and need not name algorithms', async () => {
  const [ec, long] = [publicJwk, rsa(2048)];
  const file = await fileWith({ keys: [other, ec, long] });
  expect(await readKeySet(file, signal)).toEqual({ keys: [ec, long], unusable: [] });
});

test.each<[string, unknown]>([
  [': expected a JSON Web Key Set', '{'],
  [': expected a JSON Web Key Set', { keys: [{}] }],
  [": the file can't be read (it is larger than 1 MB)", ' '.repeat(1_000_001)],
  [': keys.1: expected a public key for RS256', { keys: [publicJwk, { kty: 'RSA' }] }],
  [': keys.0: expected a public key for ES256', { keys: [privateKey.export({ format: 'jwk' })] }],
  [': keys.0: expected a key of at least 2048 bits', { keys: [rsa(1024)] }],
])('a file is refused%s', async (reason, content) => {
  const file = await fileWith(content);
  await expect(readKeySet(file, signal)).rejects.toThrow(`${file}${reason}`);
});

test('keys at a URL that can verify nothing are left out', async () => {
  const url = await servedBy((_, response) =>
    response.end(JSON.stringify({ keys: [rsa(1024), publicJwk, { kty: 'RSA' }] })),
  );
  expect(await readKeySet(url, signal)).toEqual({
    keys: [publicJwk],
    unusable: [
      `${url}: keys.0: expected a key of at least 2048 bits`,
      `${url}: keys.2: expected a public key for RS256`,
    ],
  });
});

test.each<[string, RequestListener]>([
  ['the response has status 500, not 200', (_, response) => response.writeHead(500).end('{"keys":[]}')],
  [
    'the response has status 302, not 200',
    (_, response) => response.writeHead(302, { Location: '/other' }).end(),
  ],
  ['it is larger than 1 MB', (_, response) => response.end(Buffer.alloc(1_000_001, ' '))],
  ['expected a JSON Web Key Set', (_, response) => response.end('<html>')],
])('a URL is refused: %s', async (reason, listener) => {
  await expect(readKeySet(await servedBy(listener), signal)).rejects.toThrow(reason);
});

test('a key set without an end is not read to its end', async () => {
  let sent = 0;
  const url = await servedBy((request, response) => {
    const piece = Buffer.alloc(100_000, ' ');
    const more = () => {
      sent += piece.length;
      if (!request.socket.destroyed) response.write(piece, more);
    };
    more();
  });
  await expect(readKeySet(url, signal)).rejects.toThrow('it is larger than 1 MB');
  await expect.poll(() => sent).toBeLessThan(100_000_000);
});
