import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFolders } from '../../../src/app/origin/tree/read-folders.ts';
import { readTar } from '../../../src/app/origin/tree/read-tar.ts';
import { writeTar } from '../../../src/app/origin/tree/write-tar.ts';

const file = (path: string, text = '') => ({ path, bytes: Buffer.from(text) });
const one = file('endpoints/one.sql', 'SELECT 1');

/** A tarball with entries as other programs make them. */
function tarOf(...entries: readonly (Partial<Header> & { readonly name: string; readonly text?: string })[]) {
  const tar = pack();
  for (const { text, ...header } of entries) {
    if (text === undefined) tar.entry(header);
    else tar.entry(header, text);
  }
  tar.finalize();
  return buffer(tar as AsyncIterable<Buffer>);
}

test('the same files make the same bytes, in any order and with names of any length', async () => {
  const long = file(`endpoints/${'long'.repeat(20)}/${'name'.repeat(30)}.sql`, 'SELECT 2');
  const files = [one, long, file('sources/logs.json', '[]'), file('endpoints.lock', '{}')];
  const tar = await writeTar(files);
  expect(await writeTar(files.toReversed())).toEqual(tar);
  const read = await readTar(tar);
  expect(read.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
    files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  );
  expect(await readTar(gzipSync(tar))).toEqual(read);
});

test('only endpoints, sources and the lock file are taken', async () => {
  const tar = await tarOf(
    { name: './', type: 'directory' },
    { name: './endpoints/', type: 'directory' },
    { name: './endpoints/one.sql', text: 'SELECT 1' },
    { name: './endpoints/.hidden.sql', text: 'SELECT 2' },
    { name: 'README.md', text: 'about' },
    { name: 'latest', type: 'symlink', linkname: '/etc' },
    { name: 'other/endpoints/two.sql', text: 'SELECT 2' },
  );
  expect(await readTar(tar)).toEqual([one]);
});

test.each([
  ['a path that leads out', { name: 'endpoints/../../evil.sql', text: '' }, 'leads out of it'],
  ['a path that leads out beside the files', { name: '../evil', text: '' }, 'leads out of it'],
  ['an absolute path', { name: '/endpoints/evil.sql', text: '' }, 'leads out of it'],
  ['a path with a backslash', { name: 'endpoints\\evil.sql', text: '' }, 'leads out of it'],
  ['a path with a line break', { name: 'endpoints/a\nb.sql', text: '' }, 'leads out of it'],
  ['a symbolic link', { name: 'endpoints/a.sql', type: 'symlink', linkname: '/etc/passwd' }, 'is a link'],
  ['a hard link', { name: 'sources/a.json', type: 'link', linkname: 'endpoints/one.sql' }, 'is a link'],
  ['a link in place of a folder', { name: 'endpoints', type: 'symlink', linkname: '/etc' }, 'is a link'],
  ['a device', { name: 'endpoints/a.sql', type: 'character-device' }, 'is a link or a device'],
  ['the same path twice', { name: './endpoints/one.sql', text: 'SELECT 2' }, 'is in it twice'],
] as const)('%s refuses all of a tarball', async (_, entry, reason) => {
  const tar = await tarOf({ name: 'endpoints/one.sql', text: 'SELECT 1' }, entry);
  await expect(readTar(tar)).rejects.toThrow(reason);
});

test('what is no tarball, or a part of one, is refused', async () => {
  const tar = await writeTar([file('endpoints/one.sql', 'SELECT 1'.repeat(1_000))]);
  const page = Buffer.from('<!DOCTYPE html><html><body>Please log in</body></html>'.repeat(20));
  for (const bad of [page, tar.subarray(0, 3_000), gzipSync(tar).subarray(0, 60), gzipSync(page)])
    await expect(readTar(bad)).rejects.toThrow('it is no complete tarball');
  for (const empty of [Buffer.of(), await writeTar([]), await writeTar([file('sources/logs.json', '[]')])])
    await expect(readTar(empty)).rejects.toThrow('it has no folder endpoints');
});

test('a small tarball of gigabytes is refused before it is unpacked', async () => {
  const block = Buffer.alloc(1_000_000);
  const sized = await tarOf({ name: 'README', text: 'x' });
  // Beside the files, so that no limit of files applies.
  const bomb = gzipSync(Buffer.concat([sized.subarray(0, 1024), ...Array(200).fill(block)]), { level: 1 });
  expect(bomb.length).toBeLessThan(2_000_000);
  await expect(readTar(bomb)).rejects.toThrow('it is larger than 100 MB');
  const large = await tarOf({ name: 'endpoints/large.sql', text: 'x'.repeat(17_000_000) });
  await expect(readTar(large)).rejects.toThrow('endpoints/large.sql is larger than 16 MB');
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tarballs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('folders are read as a whole, without hidden files; a link is refused', async () => {
  const place = { endpointsDir: join(folder, 'queries'), sourcesDir: join(folder, 'sources') };
  await mkdir(join(place.endpointsDir, 'views'), { recursive: true });
  await mkdir(place.sourcesDir);
  await writeFile(join(place.endpointsDir, 'one.sql'), 'SELECT 1');
  await writeFile(join(place.endpointsDir, 'views/paid.sql'), 'SELECT 2');
  await writeFile(join(place.endpointsDir, '.one.sql.swp'), '');
  await writeFile(join(folder, 'queries.lock'), '{}');
  const files = await readFolders(place);
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    'endpoints.lock',
    'endpoints/one.sql',
    'endpoints/views/paid.sql',
  ]);
  await symlink('/etc/hostname', join(place.sourcesDir, 'a.json'));
  await expect(readFolders(place)).rejects.toThrow("a link can't be packed");
});
