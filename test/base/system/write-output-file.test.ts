import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeOutputFile } from '../../../src/base/system/write-output-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('output replaces a file, or makes one', async () => {
  const file = join(folder, 'report');
  await writeOutputFile(file, 'longer');
  await writeOutputFile(file, 'new');
  expect(await readFile(file, 'utf8')).toBe('new');
});

test.each(['there', 'missing'])(
  'output does not follow a symbolic link to a file that is %s',
  async (name) => {
    const target = join(folder, name);
    if (name === 'there') await writeFile(target, 'kept');
    await symlink(target, join(folder, `link-${name}`));
    await expect(writeOutputFile(join(folder, `link-${name}`), 'text')).rejects.toThrow(
      'it is a symbolic link',
    );
    if (name === 'there') expect(await readFile(target, 'utf8')).toBe('kept');
    else await expect(readFile(target)).rejects.toThrow('ENOENT');
  },
);

test('output goes to a device', () => writeOutputFile('/dev/null', 'text'));

test('output does not wait for the reader of a named pipe', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(writeOutputFile(pipe, 'text')).rejects.toThrow('it is not a file');
});

test('output to a folder fails as the file system does', async () => {
  await expect(writeOutputFile(folder, 'text')).rejects.toThrow('EISDIR');
});
