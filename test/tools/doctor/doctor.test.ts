import { execFileSync } from 'node:child_process';
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainFailure } from '../../../src/app/failures/explain-failure.ts';
import { type DoctorOptions, doctorCommand } from '../../../src/cli/doctor/doctor.ts';
import { allTables } from '../../../src/engines/duckdb/store/database/held-files.ts';
import { refuseInUse } from '../../../src/tools/doctor/examine-store.ts';
import { previewOf } from '../../../src/tools/doctor/preview.ts';
import { ingestBatch, micros } from '../../engines/duckdb/store/ingest-batches.ts';
import { type KilledStore, killedStore, source, storedIds } from '../../engines/duckdb/store/killed-store.ts';
import { openTestStore, temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { backedUp, restored } from '../../rows/backup/support.ts';

let folder: string;
let killed: KilledStore;
let ids: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  killed = await killedStore(folder, 6);
  ids = killed.acknowledged.map(({ id }) => id);
});
afterAll(() => rm(folder, { recursive: true }));

const settings = { engine: 'duckdb' as const, dataDir: '/none', duckdbMemoryLimit: '500MB' };
const storeOf = (dataDir: string) => join(dataDir, 'store.duckdb');
const logOf = (dataDir: string) => join(dataDir, 'store.duckdb.wal');

async function doctor(options: DoctorOptions) {
  let out = '';
  const output = {
    out(text: string) {
      out += text;
    },
    err: () => undefined,
  };
  const terminal = new PassThrough();
  const code = await doctorCommand(options, settings, output, terminal).catch((error) => {
    out = explainFailure(error);
    return 1;
  });
  return { code, out: out.replaceAll(options.dataDir ?? '/none', 'DATA') };
}

/** Changes bytes of a file. */
async function overwrite(file: string, position: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

/** Damages the first block of texts of a store or a backup. */
async function damageRows(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT min(block_id) FROM pragma_storage_info('flat.s') WHERE segment_type = 'VARCHAR' AND column_name = 'text' AND block_id >= 0`,
  );
  const block = Number(reader.value(0, 0));
  connection.closeSync();
  instance.closeSync();
  await overwrite(file, 3 * 4096 + block * 262_144 + 1000, Buffer.from('damaged'));
}

/** Inverts a byte of the log. */
async function invert(dataDir: string, place: number): Promise<void> {
  const log = await readFile(logOf(dataDir));
  log[place] = (log[place] ?? 0) ^ 0xff;
  await writeFile(logOf(dataDir), log);
}

test('a healthy store is healthy, and stays as it is', async () => {
  const dataDir = await killed.copy();
  const before = await readFile(logOf(dataDir));
  expect(await doctor({ dataDir })).toEqual({
    code: 0,
    out: 'store DATA/store.duckdb (1 MB): 6 rows of 1 source\nNothing is wrong.\n',
  });
  expect(await doctor({ dataDir, repair: true })).toMatchObject({ code: 0 });
  expect(await readFile(logOf(dataDir))).toEqual(before);
  expect((await readdir(dataDir)).toSorted()).toEqual(['store.duckdb', 'store.duckdb.wal']);
});

test('what the next start cuts off is a note', async () => {
  const dataDir = await killed.copy();
  await writeFile(logOf(dataDir), Buffer.concat([await readFile(logOf(dataDir)), Buffer.alloc(9)]));
  const { code, out } = await doctor({ dataDir });
  expect(code).toBe(0);
  expect(out).toContain('note: The write-ahead log store.duckdb.wal ends with 9 bytes of zeros');
});

test('an unreadable commit is lost, and those after it are kept', async () => {
  const dataDir = await killed.copy();
  await invert(dataDir, (killed.acknowledged[2]?.logBytes ?? 0) + 30);
  const before = await readFile(logOf(dataDir));
  const examined = await doctor({ dataDir });
  expect(examined).toEqual({
    code: 1,
    out: expect.stringMatching(
      /can't be read beyond 3 commits: .* with 2 readable commits in it\. 1 commit can't be applied: the rows in them are lost\. 2 commits after what can't be read can be\.\n {2}with --repair: /,
    ),
  });
  expect(await readFile(logOf(dataDir))).toEqual(before);
  expect(await doctor({ dataDir, repair: true })).toMatchObject({ code: 0 });
  expect(await readFile(`${logOf(dataDir)}.kept-1`)).toEqual(before);
  expect(await storedIds(dataDir)).toEqual(ids.filter((id) => id !== 'row 3'));
});

test('of the commits after an unreadable one, those from a deletion on are not applied', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  await (await openTestStore(dataDir, source)).close();
  const store = await openTestStore(dataDir, source);
  const sizes: number[] = [];
  const timestamp = '2026-01-01T00:00:00Z';
  const add = async (id: string) => {
    await store.ingest([ingestBatch(source, [{ id, timestamp, text: '' }])]);
    sizes.push((await stat(logOf(dataDir))).size);
  };
  for (const id of ['a', 'b', 'c', 'd']) await add(id);
  const keys = (async function* () {
    yield [{ id: 'c', timestamp: micros(timestamp) }];
  })();
  await store.deleteRows(source, { keys }, new AbortController().signal);
  await add('e');
  const copy = join(await temporaryFolder(), 'copy');
  await mkdir(copy);
  for (const of of [storeOf, logOf]) await copyFile(of(dataDir), of(copy));
  await invert(copy, (sizes[0] ?? 0) + 30);
  expect(await doctor({ dataDir: copy, repair: true })).toMatchObject({ code: 0 });
  // The place of c is that of d now.
  expect(await storedIds(copy)).toEqual(['a', 'c', 'd']);
});

test('a damaged header of a log is written again', async () => {
  for (const place of [0, 5, 20]) {
    const dataDir = await killed.copy();
    await invert(dataDir, place);
    expect(await doctor({ dataDir, repair: true }), `byte ${place}`).toMatchObject({ code: 0 });
    expect(await storedIds(dataDir)).toEqual(ids);
  }
});

test('the log of another store is set aside', async () => {
  const other = await killedStore(await mkdtemp(join(folder, 'other-')), 1);
  const dataDir = await killed.copy();
  const otherDir = await other.copy();
  await copyFile(logOf(otherDir), logOf(dataDir));
  const { code, out } = await doctor({ dataDir, repair: true });
  expect(code).toBe(0);
  expect(out).toContain('belongs to another database file. 1 commit can');
  expect(await readFile(`${logOf(dataDir)}.kept-1`)).toEqual(await readFile(logOf(otherDir)));
  expect(await storedIds(dataDir)).toEqual([]);
});

test('the log of an interrupted checkpoint is not lost with the one before it', async () => {
  const dataDir = await killed.copy();
  const log = await readFile(logOf(dataDir));
  const header = log.subarray(0, log.indexOf(Buffer.from([0xff, 0xff])) + 2);
  const middle = killed.acknowledged[3]?.logBytes ?? 0;
  await writeFile(logOf(dataDir), log.subarray(0, middle));
  await writeFile(`${logOf(dataDir)}.checkpoint`, Buffer.concat([header, log.subarray(middle)]));
  expect((await doctor({ dataDir })).out).toContain(
    'store.duckdb.wal.checkpoint has 2 commits from the time of a checkpoint',
  );
  await expect(storedIds(dataDir)).rejects.toThrow('doctor --repair');
  expect(await doctor({ dataDir, repair: true })).toMatchObject({ code: 0 });
  expect(await storedIds(dataDir)).toEqual(ids);
});

test('commits that add rows to a lost table are not applied', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  const store = await openTestStore(dataDir, source);
  const created = (await stat(logOf(dataDir))).size;
  await store.ingest([ingestBatch(source, [{ id: 'a', timestamp: new Date().toISOString(), text: '' }])]);
  const copy = join(await temporaryFolder(), 'copy');
  await mkdir(copy);
  for (const of of [storeOf, logOf]) await copyFile(of(dataDir), of(copy));
  await invert(copy, created - 30);
  expect(await doctor({ dataDir: copy, repair: true })).toMatchObject({ code: 0 });
  expect(await storedIds(copy)).toEqual([]);
});

test('rows of damaged blocks are lost, and all others are kept', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  const store = await openTestStore(dataDir, source);
  const text = () => Array.from({ length: 4 }, () => Math.random()).join();
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    id: `row ${n}`,
    timestamp: '2026-01-01T00:00:00Z',
    text: text(),
  }));
  await store.ingest([ingestBatch(source, rows)]);
  await store.close();
  const backup = join(await temporaryFolder(), 'backup');
  await backedUp(dataDir, backup);
  await damageRows(storeOf(dataDir));
  const examined = await doctor({ dataDir });
  expect(examined.code).toBe(1);
  const lost = Number(/flat\.s: (\S+) rows can't be read/.exec(examined.out)?.[1]?.replace(',', ''));
  expect(lost).toBeGreaterThan(0);
  expect(await doctor({ dataDir, repair: true })).toMatchObject({ code: 0 });
  const stored = await storedIds(dataDir);
  expect(stored.length).toBe(20_000 - lost);
  const known = new Set<unknown>(rows.map(({ id }) => id));
  expect(stored.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect(await doctor({ dataDir })).toMatchObject({ code: 0 });
  await damageRows(backup);
  expect(await doctor({ backup })).toMatchObject({ code: 1, out: expect.stringContaining('with --repair') });
  expect(await doctor({ backup, repair: true })).toMatchObject({ code: 0 });
  const restoredTo = join(dataDir, 'restored');
  expect((await restored(backup, restoredTo)).rows.get('flat.s')).toBeGreaterThan(0);
});

test('a file that is no store, a cut one and a backup that is none are said to be so', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir);
  expect(await doctor({ dataDir })).toEqual({ code: 1, out: 'There is no store in DATA_DIR (DATA).' });
  await writeFile(storeOf(dataDir), Buffer.alloc(20_000));
  expect((await doctor({ dataDir, repair: true })).out).toContain('does not begin as a database file does');
  await copyFile(storeOf(await killed.copy()), storeOf(dataDir));
  await overwrite(storeOf(dataDir), 4100, Buffer.from('damaged'));
  expect((await doctor({ dataDir })).out).toContain('A header of it is damaged');
  expect((await doctor({ backup: storeOf(await killed.copy()) })).out).toContain('a store, but not a backup');
});

test('a damaged file of added fields is made of the columns of the store', async () => {
  const dataDir = await killed.copy();
  await mkdir(join(dataDir, 'fields'));
  const file = join(dataDir, 'fields', 's.json');
  await writeFile(file, Buffer.alloc(100));
  expect((await doctor({ dataDir, json: true })).out).toContain('The fields that rows have added to s');
  expect(await doctor({ dataDir, repair: true })).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(file, 'utf8'))).toContainEqual({
    name: 'text',
    type: 'STRING',
    mode: 'NULLABLE',
  });
  expect(await readFile(`${file}.kept-1`)).toEqual(Buffer.alloc(100));
  expect(await doctor({ dataDir })).toMatchObject({ code: 0 });
});

test('a store behind a symbolic link is examined and repaired where it is', async () => {
  const [real, dataDir] = [await killed.copy(), await temporaryFolder()];
  await symlink(storeOf(real), storeOf(dataDir));
  await invert(real, killed.logBytes - 60);
  expect(await doctor({ dataDir, repair: true })).toMatchObject({ code: 0 });
  expect(await storedIds(dataDir)).toEqual(ids.slice(0, -1));
});

test('a preview can still be read after a check whether another process has the store open', async () => {
  const file = storeOf(await killed.copy());
  await using preview = await previewOf(file, undefined, '500MB');
  await refuseInUse(file);
  expect(await preview.read(allTables)).toContainEqual(expect.objectContaining({ name: 'flat.s' }));
});

test('a pipe in place of a file is refused, and is not waited for', async () => {
  const dataDir = await killed.copy();
  await mkdir(join(dataDir, 'fields'));
  const pipe = async (path: string) => {
    await rm(path, { force: true });
    execFileSync('mkfifo', [path]);
  };
  await pipe(join(dataDir, 'fields', 's.json'));
  expect(await doctor({ dataDir, repair: true })).toEqual({
    code: 1,
    out: `store DATA/store.duckdb (1 MB): 6 rows of 1 source
error: fields/s.json: The fields that rows have added to s can't be read: it is not a file.
`,
  });
  await pipe(logOf(dataDir));
  expect(await doctor({ dataDir })).toMatchObject({
    code: 1,
    out: expect.stringContaining('wal is not a file'),
  });
  await pipe(storeOf(dataDir));
  const refused = { code: 1, out: expect.stringContaining('store.duckdb is not a file') };
  expect(await doctor({ dataDir })).toMatchObject(refused);
  expect(await doctor({ backup: storeOf(dataDir) })).toMatchObject(refused);
  await expect(openTestStore(dataDir)).rejects.toThrow('store.duckdb is not a file');
});
