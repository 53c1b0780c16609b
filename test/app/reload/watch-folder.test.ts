import { renameSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchFolder } from '../../../src/app/reload/watch-folder.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';

/** A watched folder, with the number of changes that were noticed. */
async function watched() {
  const root = await mkdtemp(path.join(tmpdir(), 'watch-'));
  const folder = path.join(root, 'folder');
  await mkdir(folder);
  const clock = new ManualClock();
  let changes = 0;
  const watcher = watchFolder(folder, clock, () => changes++);
  onTestFinished(async () => {
    watcher.close();
    await rm(root, { recursive: true });
  });
  const noticed = (count: number) =>
    eventually(`${count} changes are noticed`, async () => {
      await clock.advance(100);
      return changes >= count;
    });
  return { root, folder, clock, watcher, noticed, changes: () => changes };
}

it('notices several changes at once as one', async () => {
  const { folder, noticed, changes, clock } = await watched();
  for (const name of ['a', 'b', 'c']) await writeFile(path.join(folder, name), name);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await noticed(1);
  await clock.advance(10_000);
  expect(changes()).toBe(1);
});

it('notices that a file is replaced, and that one is removed', async () => {
  const { root, folder, noticed } = await watched();
  await writeFile(path.join(root, 'new'), 'new');
  await rename(path.join(root, 'new'), path.join(folder, 'a'));
  await noticed(1);
  await rm(path.join(folder, 'a'));
  await noticed(2);
});

it('notices changes in subfolders, also in new ones', async () => {
  const { folder, noticed } = await watched();
  await mkdir(path.join(folder, 'views'));
  await noticed(1);
  await writeFile(path.join(folder, 'views', 'a'), 'a');
  await noticed(2);
  await writeFile(path.join(folder, 'views', 'a'), 'b');
  await noticed(3);
});

it('follows a folder that is replaced, or goes and comes again', async () => {
  const { root, folder, noticed, changes } = await watched();
  await rename(folder, path.join(root, 'old'));
  await mkdir(folder);
  await noticed(1);
  await writeFile(path.join(folder, 'a'), 'a');
  await noticed(2);
  await rm(folder, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await mkdir(folder);
  await noticed(3);
  const before = changes();
  await writeFile(path.join(folder, 'b'), 'b');
  await noticed(before + 1);
});

it.each(['', 'views'])('notices a folder that is replaced at once (%j)', async (name) => {
  const { root, folder, noticed, changes } = await watched();
  const replaced = path.join(folder, name);
  if (name !== '') {
    await mkdir(replaced);
    await noticed(1);
  }
  const next = path.join(root, 'next');
  for (const each of [replaced, next]) {
    await mkdir(each, { recursive: true });
    await writeFile(path.join(each, 'a'), each);
  }
  await noticed(changes() + 1);
  const before = changes();
  renameSync(replaced, path.join(root, 'old'));
  renameSync(next, replaced);
  await noticed(before + 1);
});

it('notices nothing any more when it is closed', async () => {
  const { folder, watcher, clock, changes } = await watched();
  await writeFile(path.join(folder, 'a'), 'a');
  watcher.close();
  await writeFile(path.join(folder, 'b'), 'b');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await clock.advance(10_000);
  expect(changes()).toBe(0);
});

it('notices changes in subfolders, also in one that was made since', async () => {
  const { folder, noticed } = await watched();
  await mkdir(path.join(folder, 'orders'));
  await noticed(1);
  await writeFile(path.join(folder, 'orders', 'v1.sql'), 'a');
  await noticed(2);
  await rm(path.join(folder, 'orders'), { recursive: true });
  await noticed(3);
  await writeFile(path.join(folder, 'a'), 'a');
  await noticed(4);
});
