import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readKeySet } from '../../../src/access/token/read-jwt-settings.ts';

async function fileWith(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'key-set-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'jwks.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = publicKey.export({ format: 'jwk' });
const rsa = (modulusLength: number): JsonWebKey =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });
const other = { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' };

test('a key set may have keys of other kinds, and need not name algorithms', async () => {
  const set = { keys: [other, publicJwk, rsa(2048)] };
  expect(await readKeySet(await fileWith(set))).toEqual(set);
  expect(await readKeySet('https://login.example/jwks.json')).toBeInstanceOf(URL);
});

test.each(['/dev/zero', 'sparse'])('a file that may have no end is not read: %s', async (name) => {
  const file = name === 'sparse' ? await fileWith('') : name;
  if (name === 'sparse') await truncate(file, 3_000_000_000);
  const reason = name === 'sparse' ? 'it is larger than 1 MB' : 'it is not a file';
  await expect(readKeySet(file)).rejects.toThrow(`${file}: the file can't be read (${reason})`);
});

test.each<[string, unknown]>([
  [': expected a JSON Web Key Set', '{'],
  [': expected a JSON Web Key Set', { keys: [] }],
  [': expected a key for RS256 or ES256', { keys: [other] }],
  [': keys.1: expected a public key for RS256', { keys: [publicJwk, { kty: 'RSA' }] }],
  [': keys.0: expected a public key for ES256', { keys: [privateKey.export({ format: 'jwk' })] }],
  [': keys.0: expected a key of at least 2048 bits', { keys: [rsa(1024)] }],
])('a file is refused at the start%s', async (reason, content) => {
  const file = await fileWith(content);
  await expect(readKeySet(file)).rejects.toThrow(`${file}${reason}`);
});
