import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  fileFailure,
  maxWrittenBytes,
  readWrittenFile,
  readWrittenFileSync,
  UnfitFile,
} from '../../../src/base/system/read-written-file.ts';
import { isSafeDevice } from '../../../src/base/system/safe-device.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'written-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ['awaited', readWrittenFile],
  ['at once', async (...given: Parameters<typeof readWrittenFile>) => readWrittenFileSync(...given)],
])('a file that people write, read %s', (_how, read) => {
  const failureOf = (file: string, maxBytes?: number) =>
    read(file, maxBytes).catch((error: unknown) => error);

  test('is returned whole, also through a link', async () => {
    const file = join(folder, 'text');
    const text = 'é'.repeat(100_000);
    await writeFile(file, text);
    const link = join(folder, 'link');
    await rm(link, { force: true });
    await symlink(file, link);
    expect((await read(link)).toString()).toBe(text);
    await writeFile(file, '');
    expect((await read(file)).toString()).toBe('');
  });

  test.runIf(process.platform === 'linux')('may be made up by the system, of unknown size', async () => {
    expect((await read('/proc/self/status')).toString()).toContain('VmRSS');
    expect(fileFailure(await failureOf('/proc/self/status', 10))).toBe('it is larger than 1 MB');
  });

  test('is no pipe and no device, and no writer is waited for', async () => {
    const pipe = join(folder, 'pipe');
    const zero = join(folder, 'zero');
    await Promise.all([pipe, zero].map((each) => rm(each, { force: true })));
    execFileSync('mkfifo', [pipe]);
    await symlink('/dev/zero', zero);
    for (const file of [pipe, zero]) {
      const error = await failureOf(file);
      expect(error).toBeInstanceOf(UnfitFile);
      expect(fileFailure(error)).toBe('it is not a file');
    }
    expect(await read('/dev/null')).toHaveLength(0);
  });

  test('has a maximum size', async () => {
    const file = join(folder, 'large');
    await writeFile(file, '');
    await truncate(file, maxWrittenBytes + 1);
    expect(fileFailure(await failureOf(file))).toBe('it is larger than 16 MB');
    await truncate(file, maxWrittenBytes);
    expect(await read(file)).toHaveLength(maxWrittenBytes);
  });

  test('fails as the file system does', async () => {
    expect(fileFailure(await failureOf(join(folder, 'none')))).toBe('no such file or directory');
    expect(fileFailure(await failureOf(folder))).toBe('illegal operation on a directory');
  });
});

test('pipes that shells name are safe, and paths that end like them are not', () => {
  expect(['/dev/fd/63', '/dev/stdin', '/dev/null', '/proc/self/fd/0'].every(isSafeDevice)).toBe(true);
  expect(['/dev/zero', '/dev/fd/../zero', 'x/dev/null', '/dev/nullx'].some(isSafeDevice)).toBe(false);
});
