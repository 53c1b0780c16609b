import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { openTestStore, temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { addRows, backedUp, folderWith, idsIn, restored, source } from './support.ts';

const ids = Array.from({ length: 3000 }, (_, n) => `r${String(n).padStart(5, '0')}`);

test('a store that no gateway has is backed up and restored with its rows', async () => {
  const folder = await temporaryFolder();
  const dataDir = await folderWith(folder, ids);
  const [file, target] = [join(folder, 'a.backup'), join(folder, 'target')];
  const steps: string[] = [];
  const made = await backedUp(dataDir, file, {
    onStep: (step, done, total) => void (done === total && steps.push(step)),
  });
  expect(steps).toEqual(['copying', 'verifying']);
  expect(Object.fromEntries(made.rows)).toEqual({ 'flat.s': ids.length, 'lists.s': 0 });
  expect(await restored(file, target)).toMatchObject({ rows: made.rows });
  expect(await idsIn(target)).toEqual(ids);
  expect(await readdir(target)).toEqual(['store.duckdb']);
  // The backup can be restored again.
  await restored(file, join(folder, 'again'));
  expect(await idsIn(join(folder, 'again'))).toEqual(ids);
  expect(await idsIn(dataDir)).toEqual(ids);
});

test('rows that only the log of an ended process has are in the backup', async () => {
  const folder = await temporaryFolder();
  const store = await openTestStore(join(folder, 'data'), source);
  await addRows(store, ids);
  const killed = join(folder, 'killed');
  await mkdir(killed);
  for (const name of ['store.duckdb', 'store.duckdb.wal'])
    await writeFile(join(killed, name), await readFile(join(folder, 'data', name)));
  await backedUp(killed, join(folder, 'a.backup'));
  await restored(join(folder, 'a.backup'), join(folder, 'target'));
  expect(await idsIn(join(folder, 'target'))).toEqual(ids);
});

test('a disk without room is refused before anything is written', async () => {
  const folder = await temporaryFolder();
  const dataDir = await folderWith(folder, ids);
  const freeBytes = async () => 1_000_000;
  const file = join(folder, 'a.backup');
  await expect(backedUp(dataDir, file, { freeBytes })).rejects.toThrow(
    /^This needs \d+ MB of free disk space in .*, and 1 MB are free\. Nothing was written\.$/,
  );
  await backedUp(dataDir, file);
  await expect(restored(file, join(folder, 'target'), { freeBytes })).rejects.toThrow(/^This needs \d+ MB/);
  expect(await readdir(join(folder, 'target'))).toEqual([]);
});

test('an interrupted backup or restoration leaves nothing, and another one succeeds', async () => {
  const folder = await temporaryFolder();
  const dataDir = await folderWith(folder, ids);
  const [file, target] = [join(folder, 'a.backup'), join(folder, 'target')];
  for (const wanted of ['copying', 'verifying']) {
    const controller = new AbortController();
    const onStep = (step: string) => {
      if (step === wanted) controller.abort(new Error(`while ${step}`));
    };
    const { signal } = controller;
    await expect(backedUp(dataDir, file, { signal, onStep })).rejects.toThrow(`while ${wanted}`);
  }
  expect(await readdir(folder)).toEqual(['data']);
  await backedUp(dataDir, file);
  for (const wanted of ['copying', 'verifying']) {
    const controller = new AbortController();
    const onStep = (step: string) => {
      if (step === wanted) controller.abort(new Error(`while ${step}`));
    };
    const { signal } = controller;
    await expect(restored(file, target, { signal, onStep })).rejects.toThrow(`while ${wanted}`);
    expect(await readdir(target)).toEqual([]);
  }
  // Those of the store alone are no leftovers.
  await mkdir(join(target, 'fields'));
  await expect(restored(file, target)).rejects.toThrow('is not empty: it has fields');
  // A killed one leaves these, and the fields under their own name when it was about to end.
  await writeFile(join(target, 'store.duckdb.999999.new'), 'half');
  await mkdir(join(target, 'fields.999999.new'));
  await restored(file, target);
  expect(await readdir(target)).toEqual(['store.duckdb']);
  await writeFile(`${file}.999999999.part`, 'half');
  await backedUp(dataDir, file, { force: true });
  expect((await readdir(folder)).sort()).toEqual(['a.backup', 'data', 'target']);
});

test('a damaged backup is refused, wherever it is damaged', async () => {
  const folder = await temporaryFolder();
  const dataDir = await folderWith(folder, ids);
  const file = join(folder, 'a.backup');
  const { bytes } = await backedUp(dataDir, file);
  await using handle = await open(file, 'r+');
  const target = join(folder, 'target');
  let refused = 0;
  const step = 64 * 1024;
  for (let at = step; at < bytes; at += step) {
    const before = Buffer.alloc(1);
    await handle.read(before, 0, 1, at);
    await handle.write(Buffer.from([(before[0] ?? 0) ^ 0x55]), 0, 1, at);
    const outcome = await restored(file, join(target, String(at))).catch((error) => error);
    if (outcome instanceof Error) {
      expect(outcome.message).toMatch(/damaged/);
      expect(await readdir(join(target, String(at))).catch(() => [])).toEqual([]);
      refused += 1;
    }
    // Nothing refers to this part of the file.
    else expect(await idsIn(join(target, String(at)))).toEqual(ids);
    await handle.write(before, 0, 1, at);
  }
  expect(refused).toBeGreaterThan(2);
});

test('a backup of a newer format is refused by name', async () => {
  const folder = await temporaryFolder();
  const dataDir = await folderWith(folder, ids);
  const file = join(folder, 'a.backup');
  await backedUp(dataDir, file);
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`UPDATE meta.facts SET value = '99' WHERE name = 'format'`);
  connection.closeSync();
  instance.closeSync();
  await expect(restored(file, join(folder, 'target'))).rejects.toThrow(
    /a\.backup has format 99, written by a newer version of the gateway\. .* Start the newer version\.$/,
  );
});
