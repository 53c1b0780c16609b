import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../src/base/system/make-folder.ts';

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'make-folder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a folder is made with those above it, and may be there already', async () => {
  const folder = join(await ownFolder(), 'a', 'b', 'c');
  await Promise.all([makeFolder(folder, 0o700), makeFolder(folder, 0o700)]);
  await makeFolder(folder, 0o700);
  for (const made of [folder, join(folder, '..')]) {
    const { mode } = await stat(made);
    expect(mode & 0o777).toBe(0o700);
  }
});

test('a file in place of a folder is reported', async () => {
  const file = join(await ownFolder(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(file, 'a', 'b'))).rejects.toThrow(/EEXIST.*file'$/);
});

test.runIf(process.platform === 'linux')(
  'a folder that the file system never makes ends in its refusal',
  async () => {
    await expect(makeFolder('/proc/a/b')).rejects.toThrow('ENOENT');
  },
);
