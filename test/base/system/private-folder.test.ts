import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { privateFolder } from '../../../src/base/system/private-folder.js';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'private-folder-'));
  folder = join(root, 'own');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Only root can give a folder to somebody else. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
const somebody = 65_534;

function made(path: string, mode: number): void {
  mkdirSync(path);
  // Without the process's mask.
  chmodSync(path, mode);
}

test('a missing folder is made for this user only, and found again', () => {
  expect(privateFolder(folder)).toBe(folder);
  expect(lstatSync(folder)).toMatchObject({ uid: process.getuid?.() });
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  expect(privateFolder(folder)).toBe(folder);
});

test.each([0o701, 0o710, 0o750, 0o755, 0o770, 0o777, 0o1777])('one of mode %o is not private', (mode) => {
  made(folder, mode);
  expect(privateFolder(folder)).toBeUndefined();
});

test('neither is a file, nor a symbolic link, even to a private folder', () => {
  const other = privateFolder(join(root, 'other')) ?? '';
  symlinkSync(other, folder);
  expect(privateFolder(folder)).toBeUndefined();
  expect(privateFolder('/dev/null')).toBeUndefined();
});

asRoot('neither is one of another user', () => {
  made(folder, 0o700);
  chownSync(folder, somebody, somebody);
  expect(privateFolder(folder)).toBeUndefined();
});

asRoot('neither is one below a folder of another user', () => {
  made(join(root, 'theirs'), 0o755);
  made(join(root, 'theirs/own'), 0o700);
  chownSync(join(root, 'theirs'), somebody, somebody);
  expect(privateFolder(join(root, 'theirs/own'))).toBeUndefined();
  // Nor through a link that hides it.
  symlinkSync(join(root, 'theirs'), join(root, 'link'));
  expect(privateFolder(join(root, 'link/own'))).toBeUndefined();
});

test('neither is one below a folder that others can write to, unless they can replace only what is theirs', () => {
  made(join(root, 'shared'), 0o777);
  made(join(root, 'shared/inner'), 0o755);
  expect(privateFolder(join(root, 'shared/inner/own'))).toBeUndefined();
  chmodSync(join(root, 'shared'), 0o770);
  expect(privateFolder(join(root, 'shared/own'))).toBeUndefined();
  chmodSync(join(root, 'shared'), 0o1777);
  expect(privateFolder(join(root, 'shared/inner/own'))).toBe(join(root, 'shared/inner/own'));
});

test('the path leads to it without links', () => {
  mkdirSync(join(root, 'disk'), { mode: 0o700 });
  symlinkSync(join(root, 'disk'), join(root, 'link'));
  expect(privateFolder(join(root, 'link/own'))).toBe(join(root, 'disk/own'));
});

test('nothing is made where the folder above is missing', () => {
  expect(privateFolder(join(root, 'missing/own'))).toBeUndefined();
  expect(privateFolder('/proc/own')).toBeUndefined();
});
