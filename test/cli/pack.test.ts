import { createPublicKey, generateKeyPairSync, hash, verify } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTar } from '../../src/app/origin/tree/read-tar.ts';
import { inProcess } from './support/in-process.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pack-'));
  for (const each of ['endpoints/orders', 'sources']) await mkdir(join(folder, each), { recursive: true });
  await writeFile(join(folder, 'endpoints/orders/v1.sql'), 'SELECT 1');
  await writeFile(join(folder, 'endpoints.lock'), '{}');
  await writeFile(join(folder, 'sources/logs.json'), '[]');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pack = (...args: readonly string[]) =>
  inProcess(['pack', ...args], {
    ENDPOINTS_DIR: join(folder, 'endpoints'),
    SOURCES_DIR: join(folder, 'sources'),
  });

test('pack writes the tarball and says how a gateway gets it', async () => {
  const file = join(folder, 'a.tar');
  const { code, stdout } = await pack('--output', file);
  const bytes = await readFile(file);
  expect([code, stdout]).toEqual([
    0,
    `${file}: 3 files, ${bytes.length.toLocaleString('en')} bytes\nENDPOINTS_FROM=https://<host>/a.tar#sha256=${hash('sha256', bytes)}\n`,
  ]);
  expect((await readTar(bytes)).map(({ path }) => path)).toEqual([
    'endpoints.lock',
    'endpoints/orders/v1.sql',
    'sources/logs.json',
  ]);
  await pack('--output', join(folder, 'b.tar'));
  expect(await readFile(join(folder, 'b.tar'))).toEqual(bytes);
});

test('pack signs with a key, and prints the public one', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = join(folder, 'key.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const file = join(folder, 'signed.tar');
  const { stdout } = await pack('--output', file, '--sign', key);
  const [, printed = ''] = /^ENDPOINTS_PUBLIC_KEY=(.*)$/m.exec(stdout) ?? [];
  const publicKey = createPublicKey({ key: Buffer.from(printed, 'base64'), format: 'der', type: 'spki' });
  const signature = Buffer.from(await readFile(`${file}.sig`, 'utf8'), 'base64');
  expect(verify(null, await readFile(file), publicKey, signature)).toBe(true);
  expect(stdout).toContain('ENDPOINTS_FROM=https://<host>/signed.tar\n');
});

test('what can not be packed or signed is named', async () => {
  const output = join(folder, 'none.tar');
  expect((await pack('--output', output, '--sign', join(folder, 'none.pem'))).stderr).toContain(
    'There is no file',
  );
  await writeFile(join(folder, 'rsa.pem'), 'no key');
  expect(await pack('--output', output, '--sign', join(folder, 'rsa.pem'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no private Ed25519 key in PEM'),
  });
  await symlink('/etc/hostname', join(folder, 'sources/link.json'));
  expect(await pack('--output', output)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("link.json is neither a file nor a folder: a link can't be packed"),
  });
  await rm(join(folder, 'sources/link.json'));
  expect((await pack('--output', join(folder, 'no/folder.tar'))).stderr).toContain(
    'no such file or directory',
  );
});
