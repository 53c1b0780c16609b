import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  makePrivateFolder,
  removeOrphanedFolders,
  removePrivateFolder,
} from '../../../src/base/processes/private-folder.ts';

const ownerFile = path.join(import.meta.dirname, 'support/folder-owner.ts');
const later = { now: () => Date.now() + 3_600_000 };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'folders-'));
  vi.stubEnv('TMPDIR', root);
  return async () => {
    vi.unstubAllEnvs();
    await rm(root, { recursive: true });
  };
});

/** Another process with a private folder. */
async function otherOwner() {
  const owner = spawn(process.execPath, [ownerFile], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  const [said] = await once(owner.stdout, 'data');
  const kill = async () => {
    owner.kill('SIGKILL');
    await once(owner, 'exit');
  };
  return { folder: String(said).trim(), kill };
}

test('the folder of a killed process is removed with what is in it, once it is a minute old', async () => {
  const { folder, kill } = await otherOwner();
  expect(path.dirname(folder)).toBe(root);
  await mkdir(path.join(folder, 'store'));
  await writeFile(path.join(folder, 'store', 'rows'), 'x');
  await kill();
  await removeOrphanedFolders({ now: () => Date.now() });
  expect(existsSync(folder)).toBe(true);
  // Several gateways may start at once.
  await Promise.all([removeOrphanedFolders(later), removeOrphanedFolders(later)]);
  expect(existsSync(folder)).toBe(false);
});

test('folders of processes that live stay', async () => {
  const other = await otherOwner();
  const own = await makePrivateFolder('test');
  await removeOrphanedFolders(later);
  expect([other.folder, own].map((folder) => existsSync(folder))).toEqual([true, true]);
  await removePrivateFolder(own);
  expect(existsSync(own)).toBe(false);
});

test('nothing is removed that only looks like such a folder', async () => {
  const { folder, kill } = await otherOwner();
  await kill();
  const elsewhere = path.join(root, 'elsewhere');
  await rename(folder, elsewhere);
  await symlink(elsewhere, path.join(root, 'gateway-test-abcdef'));
  await mkdir(path.join(root, 'gateway-test-bcdefg'));
  await mkdir(path.join(root, 'gateway-test-cdefgh'));
  await writeFile(path.join(root, 'gateway-test-cdefgh', 'o'), '');
  const before = await readdir(root, { recursive: true });
  await removeOrphanedFolders(later);
  expect(await readdir(root, { recursive: true })).toEqual(before);
});
