import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { openDatabase } from '../../../../src/engines/duckdb/store/database/open-database.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { prepareTables } from '../../../../src/engines/duckdb/store/prepare-tables.ts';
import { oldTables, rowTables } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import { type MoveProgress, moveOldRows } from '../../../../src/engines/duckdb/store/upkeep/move-old-rows.ts';
import { asFormat1, asFormat2, inStoreFile } from './old-formats.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from './support.ts';

const imported = { origin: 'imported' } as const;
const n = { name: 'n', type: 'INT64' };
const tags = { name: 'tags', type: 'STRING', mode: 'REPEATED' };
const m = { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [n, tags] };
const source = makeSource('s', m);
const another = makeSource('other', n);

const options = { memoryLimit: '500MB', threads: 2 };

/** Rows in timestamp order: of four, one has no element, two have one, one has two. */
function rowsUpTo(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${i}`.padStart(6, '0'),
    timestamp: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    m: Array.from({ length: [1, 0, 2, 1][i % 4] ?? 0 }, (_, k) => ({ n: i + k, tags: [`t${i}`] })),
  }));
}

/** The folder of a store of an older format with so many rows, and these rows as they are read. */
async function oldStore(count: number, asOld = asFormat1) {
  const dataDir = await temporaryFolder();
  const store = await openTestStore(dataDir, source, another);
  if (count > 0) await store.append(source, batchOf(...rowsUpTo(count)), imported);
  const other = { id: 'o', timestamp: '2024-01-01T00:00:00Z', n: 7 };
  await store.append(another, batchOf(other), imported);
  const rows = await readRows(store, source, 'ORDER BY id');
  await store.close();
  await asOld(dataDir, source, another);
  return { dataDir, rows };
}

/** Opens the store's file, but moves only some rows at a time. */
async function upgrade(
  dataDir: string,
  sources: readonly Source[],
  stepRows: number,
  onProgress: (progress: MoveProgress) => void = () => undefined,
): Promise<void> {
  const database = await openDatabase({ dataDir, ...options });
  const connection = await database.instance.connect();
  try {
    await prepareTables(connection, sources);
    await moveOldRows(connection, sources, { stepRows, onProgress });
  } finally {
    connection.closeSync();
    database.close();
  }
}

async function counts(dataDir: string, of: Source): Promise<unknown[]> {
  return await inStoreFile(dataDir, async (connection) => {
    const parts = rowTables(of).map(({ sql }) => `(SELECT count(*) FROM ${sql})`);
    const reader = await connection.runAndReadAll(`SELECT ${parts.join(', ')}`);
    return reader.getRows()[0]?.map(Number) ?? [];
  });
}

async function facts(dataDir: string): Promise<unknown> {
  return await inStoreFile(dataDir, async (connection) => {
    const format = await connection.runAndReadAll(`SELECT value FROM meta.facts WHERE name = 'format'`);
    const tables = await connection.runAndReadAll(
      `SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY 1`,
    );
    return [...format.getRows(), ...tables.getRows()].flat();
  });
}

const upgraded = ['3', 'flat.other', 'flat.s', 'lists.other', 'lists.s', 'meta.facts', 'meta.sources'];

describe('a store of format 1', () => {
  test('is upgraded when it is opened: every row is there, in the table for its form, in timestamp order', async () => {
    const { dataDir, rows } = await oldStore(2000);
    const lines: string[] = [];
    const add = (message: string, fields: object = {}) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    const log = { info: add, warn: add, error: add };
    const store = await openStore({ dataDir, sources: [source, another], ...options, log });
    expect(await readRows(store, source, 'ORDER BY id')).toEqual(rows);
    expect(await readRows(store, another)).toEqual([['o', 1704067200000000n, 7n]]);
    const times = (await readRows(store, source)).map(([, at]) => at as bigint);
    for (const some of [times.slice(0, 1500), times.slice(1500)]) {
      expect(some).toEqual(some.toSorted((a, b) => (a < b ? -1 : 1)));
    }
    expect(await store.rowCounts()).toEqual(
      new Map([
        ['s', 2000],
        ['other', 1],
      ]),
    );
    await store.close();
    expect(lines).toContainEqual(
      'moving rows to the new format of the store {"source":"s","moved":0,"rows":2000}',
    );
    expect(lines).toContainEqual(
      'rows have been moved to the new format {"source":"s","moved":2000,"rows":2000}',
    );
    expect(await counts(dataDir, source)).toEqual([1500, 500]);
    expect(await facts(dataDir)).toEqual(upgraded);
  });

  test('that is interrupted after any step continues with the next one', async () => {
    const { dataDir, rows } = await oldStore(1000);
    let openings = 0;
    let total = 0;
    for (let isDone = false; !isDone; openings += 1) {
      let moved = 0;
      isDone = await upgrade(dataDir, [source, another], 300, (progress) => {
        if (progress.source !== 's') return;
        moved = progress.moved;
        if (moved > 0) throw new Error('left');
      }).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('left');
          return false;
        },
      );
      total += moved;
    }
    expect(total).toBe(1000);
    expect(openings).toBe(5);
    expect(await facts(dataDir)).toEqual(upgraded);
    const store = await openTestStore(dataDir, source, another);
    expect(await readRows(store, source, 'ORDER BY id')).toEqual(rows);
  });

  test('may be given a grown schema at any time, also between two steps', async () => {
    const { dataDir, rows } = await oldStore(1000);
    const left = upgrade(dataDir, [source, another], 300, ({ moved }) => {
      if (moved === 300) throw new Error('left');
    });
    await expect(left).rejects.toThrow('left');
    const grown = makeSource('s', { ...m, fields: [tags, { ...tags, name: 'more' }, n] }, n);
    const store = await openTestStore(dataDir, grown, another);
    const expected = rows.map(([id, at, list]) => [
      id,
      at,
      (list as unknown as unknown[][]).map(([number, texts]) => [texts, [], number]),
      null,
    ]);
    expect(await readRows(store, grown, 'ORDER BY id')).toEqual(expected);
  });

  test('keeps the rows of a removed source, and moves them when it comes back', async () => {
    const { dataDir, rows } = await oldStore(100);
    await (await openTestStore(dataDir, another)).close();
    await (await openTestStore(dataDir, another)).close();
    const store = await openTestStore(dataDir, source, another);
    expect(await readRows(store, source, 'ORDER BY id')).toEqual(rows);
    await store.close();
    expect(await facts(dataDir)).toEqual(upgraded);
  });

  test('keeps elements that are NULL, which no import makes', async () => {
    const { dataDir } = await oldStore(0);
    const micros = 1704067200000000n;
    await inStoreFile(dataDir, (connection) =>
      connection.run(`INSERT INTO logs.s VALUES
        ('a', '2024-01-01', [NULL]), ('b', '2024-01-01', NULL), ('c', '2024-01-01', [{n: NULL, tags: NULL}]),
        ('d', '2024-01-01', [NULL, NULL]), ('e', '2024-01-01', [])`),
    );
    const store = await openTestStore(dataDir, source, another);
    expect(await readRows(store, source, 'ORDER BY id')).toEqual([
      ['a', micros, [null]],
      ['b', micros, null],
      ['c', micros, [[null, null]]],
      ['d', micros, [null, null]],
      ['e', micros, []],
    ]);
    await store.close();
    expect(await counts(dataDir, source)).toEqual([3, 2]);
  });

  test('is left as it was when the disk has too little room, with the numbers', async () => {
    const { dataDir, rows } = await oldStore(100);
    const opening = openStore({
      dataDir,
      sources: [source, another],
      ...options,
      freeBytes: async () => 5e6,
    });
    await expect(opening).rejects.toThrow(
      expect.objectContaining({
        kind: 'files',
        message: expect.stringMatching(/^The store .* needs \d+ MB of free disk space, and 5 MB are free\./),
      }),
    );
    expect(await facts(dataDir)).toEqual(['1', 'logs.other', 'logs.s', 'meta.facts', 'meta.sources']);
    const store = await openTestStore(dataDir, source, another);
    expect(await readRows(store, source, 'ORDER BY id')).toEqual(rows);
    await store.close();
    // With nothing to move, no room is needed.
    await (
      await openStore({ dataDir, sources: [source, another], ...options, freeBytes: async () => 0 })
    ).close();
  });

  test('is not changed by a schema that does not fit its rows', async () => {
    const { dataDir } = await oldStore(100);
    await expect(openTestStore(dataDir, makeSource('s', n), another)).rejects.toThrow(
      'the column m was removed',
    );
    expect(await facts(dataDir)).toEqual(['1', 'logs.other', 'logs.s', 'meta.facts', 'meta.sources']);
  });

  test('loses no row and has none twice when the process is killed at any moment', async () => {
    const { dataDir, rows } = await oldStore(6000);
    const script = join(dataDir, 'upgrade.ts');
    await writeFile(
      script,
      `import { moveOldRows } from ${JSON.stringify(import.meta.resolve('../../../../src/engines/duckdb/store/upkeep/move-old-rows.ts'))};
       import { openDatabase } from ${JSON.stringify(import.meta.resolve('../../../../src/engines/duckdb/store/database/open-database.ts'))};
       import { prepareTables } from ${JSON.stringify(import.meta.resolve('../../../../src/engines/duckdb/store/prepare-tables.ts'))};
       const database = await openDatabase(${JSON.stringify({ dataDir, ...options })});
       const connection = await database.instance.connect();
       const sources = ${JSON.stringify([source, another])};
       await prepareTables(connection, sources);
       await moveOldRows(connection, sources, { stepRows: 500, onProgress: ({ moved }) => console.log(moved) });
       console.log('done');
       connection.closeSync();
       database.close();`,
    );
    let kills = 0;
    for (let isDone = false; !isDone; ) {
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      let steps = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        if (line === 'done') isDone = true;
        // Some milliseconds into another part of the next step each time.
        else if (Number(line) > 0 && ++steps === 1 + (kills % 2)) {
          setTimeout(() => child.kill('SIGKILL'), (kills % 5) * 7);
        }
      }
      await ended;
      if (!isDone) kills += 1;
    }
    expect(kills).toBeGreaterThan(3);
    expect(await facts(dataDir)).toEqual(upgraded);
    const again = await openTestStore(dataDir, source, another);
    expect(await readRows(again, source, 'ORDER BY id')).toEqual(rows);
  });
});

describe('a store of format 2', () => {
  test('is upgraded when it is opened', async () => {
    const { dataDir, rows } = await oldStore(2000, asFormat2);
    const store = await openTestStore(dataDir, source, another);
    expect(await readRows(store, source, 'ORDER BY id')).toEqual(rows);
    await store.close();
    expect(await counts(dataDir, source)).toEqual([1500, 500]);
    expect(await facts(dataDir)).toEqual(upgraded);
  });

  test('that was left on the way from format 1 has all rows of its three tables', async () => {
    const { dataDir, rows } = await oldStore(2000, asFormat2);
    const [flat] = rowTables(source);
    const [, left] = oldTables(source);
    await inStoreFile(dataDir, async (connection) => {
      await connection.run(`CREATE TABLE ${left?.sql} (${left?.definitions})`);
      await connection.run(
        `INSERT INTO ${left?.sql} SELECT ${flat.whole} FROM ${flat.sql} WHERE id >= '001000'`,
      );
      await connection.run(`DELETE FROM ${flat.sql} WHERE id >= '001000'`);
    });
    const store = await openTestStore(dataDir, source, another);
    expect(await readRows(store, source, 'ORDER BY id')).toEqual(rows);
    await store.close();
    expect(await facts(dataDir)).toEqual(upgraded);
  });

  test('may be given a grown schema', async () => {
    const { dataDir, rows } = await oldStore(100, asFormat2);
    const grown = makeSource('s', { ...m, fields: [{ ...m, name: 'inner' }, tags, n] });
    const store = await openTestStore(dataDir, grown, another);
    const expected = rows.map(([id, at, list]) => [
      id,
      at,
      (list as unknown as unknown[][]).map(([number, texts]) => [[], texts, number]),
    ]);
    expect(await readRows(store, grown, 'ORDER BY id')).toEqual(expected);
  });
});
