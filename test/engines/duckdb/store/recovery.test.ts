import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOwner } from '../../../../src/engines/duckdb/store/log/examine-log.ts';
import { headerBytes } from '../../../../src/engines/duckdb/store/log/log-header.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { type KilledStore, killedStore, source, storedIds } from './killed-store.ts';

let folder: string;
let killed: KilledStore;
let ids: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-'));
  killed = await killedStore(folder, 8);
  ids = killed.acknowledged.map(({ id }) => id);
});
afterAll(() => rm(folder, { recursive: true }));

const logOf = (dataDir: string) => join(dataDir, 'store.duckdb.wal');

/** The ids that were acknowledged when the log had at most so many bytes. */
const acknowledgedAt = (bytes: number) =>
  killed.acknowledged.filter(({ logBytes }) => logBytes <= bytes).map(({ id }) => id);

/** Where the last commit begins. */
const lastCommit = () => killed.acknowledged.at(-2)?.logBytes ?? 0;

/** A copy of the store whose log is changed. */
async function withLog(change: (log: Buffer) => Buffer): Promise<string> {
  const dataDir = await killed.copy();
  await writeFile(logOf(dataDir), change(await readFile(logOf(dataDir))));
  return dataDir;
}

/** Why a store can't be opened. */
function refusalOf(dataDir: string): Promise<Error> {
  return openStore({ dataDir, sources: [source], memoryLimit: '500MB', threads: 1 }).then(
    async (store) => {
      await store.close();
      throw new Error('it was opened');
    },
    (error) => error,
  );
}

test.each([1, 7, 16, 21, 4096, 1_100_000])('%i zeros at the end of the log are cut off', async (zeros) => {
  const dataDir = await withLog((log) => Buffer.concat([log, Buffer.alloc(zeros)]));
  expect(await storedIds(dataDir)).toEqual(ids);
});

test('a log that was cut, or cut and continued with zeros, has what was acknowledged before', async () => {
  const places = [0, 30, lastCommit(), lastCommit() + 8, killed.logBytes - 5];
  for (const place of places)
    for (const zeros of [0, 5000]) {
      const dataDir = await withLog((log) => Buffer.concat([log.subarray(0, place), Buffer.alloc(zeros)]));
      expect(await storedIds(dataDir), `${place} bytes and ${zeros} zeros`).toEqual(acknowledgedAt(place));
    }
});

test('the log of the gateway says what was cut off', async () => {
  const dataDir = await killed.copy();
  await appendFile(logOf(dataDir), Buffer.alloc(4096));
  const warnings: string[] = [];
  const log = { info() {}, warn: (message: string) => warnings.push(message), error() {} };
  const store = await openStore({ dataDir, sources: [source], memoryLimit: '500MB', threads: 1, log });
  await store.close();
  expect(warnings).toContainEqual(
    'Cut off: the write-ahead log store.duckdb.wal ends with 4,096 bytes of zeros, as a loss of power leaves them, after 8 commits. No acknowledged row is in them.',
  );
});

test('foreign bytes after the last commit are cut off, and kept in a file', async () => {
  const foreign = Buffer.from('these bytes are those of another file');
  const dataDir = await withLog((log) => Buffer.concat([log, foreign]));
  expect(await storedIds(dataDir)).toEqual(ids);
  expect(await readFile(`${logOf(dataDir)}.kept-1`)).toEqual(foreign);
});

test('a store whose log has lost acknowledged rows is not opened, and its files stay as they are', async () => {
  const flipped = (place: number) => (log: Buffer) => {
    log[place] = (log[place] ?? 0) ^ 0x10;
    return log;
  };
  // In the header, in the length, checksum and content of entries, and in the last marker.
  const middle = killed.acknowledged[3]?.logBytes ?? 0;
  const places = [0, 10, middle, middle + 3, middle + 9, middle + 18, middle + 60];
  for (const place of [
    ...places,
    killed.logBytes - 21,
    killed.logBytes - 17,
    killed.logBytes - 8,
    killed.logBytes - 3,
  ]) {
    const dataDir = await withLog(flipped(place));
    const before = await readFile(logOf(dataDir));
    const error = await refusalOf(dataDir);
    expect(error.message, `byte ${place}`).toMatch(
      /is damaged: the write-ahead log.*`endpoint-gateway doctor --repair`/s,
    );
    expect(await readFile(logOf(dataDir))).toEqual(before);
  }
  const overwritten = await withLog((log) => Buffer.concat([log.subarray(0, -40), Buffer.alloc(40, 'x')]));
  expect((await refusalOf(overwritten)).message).toContain("can't be read beyond 7 commits");
});

test('the log of another store is refused', async () => {
  const other = await killedStore(await mkdtemp(join(folder, 'other-')), 1);
  const dataDir = await killed.copy();
  await copyFile(logOf(await other.copy()), logOf(dataDir));
  expect((await refusalOf(dataDir)).message).toContain('belongs to another database file');
});

test('a log of an older state of the store is refused', async () => {
  const dataDir = await killed.copy();
  const log = await readFile(logOf(dataDir));
  for (let n = 0; n < 2; n++) {
    const store = await openStore({ dataDir, sources: [source], memoryLimit: '500MB', threads: 1 });
    await store.deleteRows(source, { before: BigInt(n) }, new AbortController().signal);
    await store.close();
  }
  await writeFile(logOf(dataDir), log);
  expect((await refusalOf(dataDir)).message).toContain('belongs to another state of the store');
});

/** Begins a checkpoint that ends at a step. */
async function endCheckpoint(file: string, step: string): Promise<void> {
  const instance = await DuckDBInstance.create(file, { checkpoint_threshold: '1TB' });
  const connection = await instance.connect();
  await connection.run(`PRAGMA debug_checkpoint_abort = '${step}'`);
  await expect(connection.run('CHECKPOINT')).rejects.toThrow('Checkpoint aborted');
  connection.closeSync();
  instance.closeSync();
}

/** A copy of the store whose checkpoint has ended at a step, with the last commit made meanwhile. */
async function withEndedCheckpoint(step: string): Promise<string> {
  const dataDir = await withLog((log) => log.subarray(0, lastCommit()));
  const file = join(dataDir, 'store.duckdb');
  const owner = await readOwner(file);
  if (owner === undefined) throw new Error('the file has no headers');
  await endCheckpoint(file, step);
  const header = headerBytes({ ...owner, checkpoints: owner.checkpoints + 1 });
  const commit = (await readFile(logOf(await killed.copy()))).subarray(lastCommit());
  await writeFile(`${logOf(dataDir)}.checkpoint`, Buffer.concat([header, commit]));
  return dataDir;
}

test.each(['before_header', 'after_free_list_write', 'before_truncate', 'before_wal_finish'])(
  'a checkpoint that ended %s, and commits meanwhile, lose nothing',
  async (step) => {
    expect((await storedIds(await withEndedCheckpoint(step))).toSorted()).toEqual(ids);
    const dataDir = await withEndedCheckpoint(step);
    for (const log of [logOf(dataDir), `${logOf(dataDir)}.checkpoint`])
      await appendFile(log, Buffer.alloc(999));
    expect((await storedIds(dataDir)).toSorted()).toEqual(ids);
    const later = await withEndedCheckpoint(step);
    await truncate(`${logOf(later)}.checkpoint`, 40);
    expect((await storedIds(later)).toSorted()).toEqual(ids.slice(0, -1));
  },
);

test('a second interrupted checkpoint, and commits meanwhile, lose nothing', async () => {
  const dataDir = await withEndedCheckpoint('before_header');
  const during = await readFile(`${logOf(dataDir)}.checkpoint`);
  await rm(`${logOf(dataDir)}.checkpoint`);
  await endCheckpoint(join(dataDir, 'store.duckdb'), 'before_header');
  await writeFile(`${logOf(dataDir)}.checkpoint`, during);
  expect((await storedIds(dataDir)).toSorted()).toEqual(ids);
  expect(await readdir(dataDir)).toEqual(['store.duckdb']);
});

test('the log of a checkpoint without the one before it is refused', async () => {
  const dataDir = await withEndedCheckpoint('before_header');
  await rm(logOf(dataDir));
  expect((await refusalOf(dataDir)).message).toContain('has 1 commit from the time of a checkpoint');
});

test('the log of a checkpoint that is in the one before it already is left alone', async () => {
  const dataDir = await killed.copy();
  const owner = await readOwner(join(dataDir, 'store.duckdb'));
  if (owner === undefined) throw new Error('the file has no headers');
  const commit = (await readFile(logOf(dataDir))).subarray(lastCommit());
  const header = headerBytes({ ...owner, checkpoints: owner.checkpoints + 1 });
  await writeFile(`${logOf(dataDir)}.checkpoint`, Buffer.concat([header, commit]));
  expect(await storedIds(dataDir)).toEqual(ids);
});

test('nothing is left of the recovery', async () => {
  const dataDir = await withLog((log) => Buffer.concat([log, Buffer.alloc(10)]));
  await storedIds(dataDir);
  expect(await readdir(dataDir)).toEqual(['store.duckdb']);
});
