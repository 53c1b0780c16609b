import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { never } from '../../../../../src/base/async/race-with-abort.ts';
import type { HeldFiles } from '../../../../../src/engines/duckdb/store/database/held-files.ts';
import type { RowBatch } from '../../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { ingestBatch } from '../ingest-batches.ts';
import { makeSource, openTestStore, temporaryFolder } from '../support.ts';

const source = makeSource('s', { name: 'text', type: 'STRING' });
const row = (id: string) => ({ id, timestamp: '2026-01-01T00:00:00Z', text: id });
const rows = (name: string, count: number) => Array.from({ length: count }, (_, n) => row(`${name}-${n}`));
/** More rows than DuckDB keeps in its write-ahead log: it writes them into the store's file. */
const many = 200_000;

async function* manyRows(name: string): AsyncGenerator<RowBatch> {
  const text = rows(name, many)
    .map((each) => JSON.stringify(each))
    .join('\n');
  yield { rows: many, parts: [{ rows: many, text }] };
}

/** Copies the files, the store's file first, and counts the rows of the copy. */
async function rowsOfCopy({ file, fileBytes, logBytes }: HeldFiles, folder: string): Promise<unknown> {
  const copy = join(folder, 'copy.duckdb');
  await writeFile(copy, (await readFile(file)).subarray(0, fileBytes));
  await writeFile(`${copy}.wal`, (await readFile(`${file}.wal`)).subarray(0, logBytes));
  const instance = await DuckDBInstance.create(copy);
  const connection = await instance.connect();
  const read = await connection.runAndReadAll(
    `SELECT split_part(id, '-', 1) AS name, count(*)::INT, bool_and(id = text) FROM flat.s GROUP BY name ORDER BY name`,
  );
  connection.closeSync();
  instance.closeSync();
  return read.getRows();
}

test('held files give the rows of the last commit, whatever is added meanwhile', async () => {
  const folder = await temporaryFolder();
  const store = await openTestStore(join(folder, 'data'), source);
  const imported = { origin: 'imported' } as const;
  await store.append(source, manyRows('before'), imported);
  await store.ingest([ingestBatch(source, rows('small', 10))]);
  const copied = await store.hold(async (files) => {
    expect(Object.fromEntries(files.rows)).toEqual({ 'flat.s': many + 10, 'lists.s': 0 });
    await store.append(source, manyRows('after'), imported);
    await store.ingest([ingestBatch(source, rows('later', 10))]);
    return await rowsOfCopy(files, folder);
  }, never);
  expect(copied).toEqual([
    ['before', many, true],
    ['small', 10, true],
  ]);
  expect((await store.rowCounts()).get('s')).toBe(2 * many + 20);
});

test('a hold ends when its signal is aborted, and when the store is closed', async () => {
  const folder = await temporaryFolder();
  const store = await openTestStore(folder, source);
  const controller = new AbortController();
  const left = store.hold(
    () => new Promise((_, reject) => controller.signal.addEventListener('abort', reject)),
    controller.signal,
  );
  controller.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  await store.ingest([ingestBatch(source, rows('a', 1))]);
  const closed = store.hold(async () => store.ingest([ingestBatch(source, rows('b', 1))]), never);
  await closed;
  await store.close();
  await expect(store.hold(async () => undefined, never)).rejects.toThrow('closing');
});
