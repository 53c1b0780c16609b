import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ingestChunks } from '../../../src/rows/ingest/ingest.ts';
import { parsedBytes } from '../../../src/rows/ingest/parsed-bytes.ts';
import { ParseThreads } from '../../../src/rows/ingest/threads/parse-threads.ts';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' }, { name: 'text', type: 'STRING' });
const filler = 'x'.repeat(1000);
const row = (id: string | number, n: unknown = 1) =>
  JSON.stringify({ id: String(id), timestamp: 0, n, text: filler });

/** Enough for several chunks. */
const manyRows = 12_000;

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

async function place(program?: URL) {
  const store = await openTestStore(await temporaryFolder(), source);
  const threads = new ParseThreads({ isLowered: true }, program);
  const add = (bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal) => {
    const chunks = parsedBytes(bytes, { source, lineNumbers: false }, threads);
    return ingestChunks(store, source, chunks, { origin: 'imported', skipBadRows: false, signal });
  };
  const rows = async () => (await readRows(store, source, 'ORDER BY id')).length;
  return { threads, add, rows, store };
}

/** Resolves when the threads are gone: an import that is ended early doesn't wait for them. */
async function gone(threads: ParseThreads): Promise<void> {
  while (threads.running > 0) await setTimeout(5);
}

describe('rows that are parsed in threads', () => {
  test('keep their order: of rows with one id, the first counts, in any chunks', async () => {
    const { threads, add, rows, store } = await place();
    const first = Array.from({ length: manyRows }, (_, i) => row(i, i));
    const again = Array.from({ length: manyRows }, (_, i) => row(i, -1));
    const result = await add(piecesOf(`\ufeff${[...first, ...again].join('\r\n')}`));
    expect(result).toMatchObject({ imported: manyRows, repeated: manyRows });
    expect(await rows()).toBe(manyRows);
    const all = await readRows(store, source, 'WHERE n < 0');
    expect(all).toEqual([]);
    expect(threads.running).toBe(0);
  });

  test('are refused with the numbers of their lines, in their order, and none of them is added', async () => {
    const { threads, add, rows } = await place();
    const lines = Array.from({ length: manyRows }, (_, i) => row(i));
    for (const bad of [7, 4321, 9876, manyRows - 1]) lines[bad] = row(bad, `bad ${bad}`);
    lines[5000] = '';
    await expect(add(piecesOf(lines.join('\n')))).rejects.toThrow(
      '4 rows do not fit, nothing was imported: line 8: n: expected INT64, got "bad 7"; ' +
        'line 4322: n: expected INT64, got "bad 4321"; line 9877: n: expected INT64, got "bad 9876"; ' +
        `line ${manyRows}: n: expected INT64, got "bad ${manyRows - 1}"`,
    );
    expect(await rows()).toBe(0);
    expect(threads.running).toBe(0);
  });

  test('leave nothing behind when the import is aborted, neither rows nor threads', async () => {
    const { threads, add, rows } = await place();
    const controller = new AbortController();
    const reason = new Error('enough');
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let n = 0; ; n++) {
        if (n === 20_000) controller.abort(reason);
        yield Buffer.from(`${row(n)}\n`);
      }
    }
    await expect(add(endless(), controller.signal)).rejects.toBe(reason);
    await gone(threads);
    expect(await rows()).toBe(0);
  });

  test('are reported before an error that ends the input early', async () => {
    const { threads, add, rows } = await place();
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* piecesOf(`${Array.from({ length: manyRows }, (_, i) => row(i)).join('\n')}\n`);
      throw new Error('damaged');
    }
    await expect(add(failing())).rejects.toThrow('damaged');
    expect(await rows()).toBe(0);
    expect(threads.running).toBe(0);
  });

  test('come to an error when a thread fails', async () => {
    const { threads, add, rows } = await place(new URL('failing-thread.ts', import.meta.url));
    const text = Array.from({ length: manyRows }, (_, i) => row(i)).join('\n');
    await expect(add(piecesOf(text))).rejects.toThrow(
      expect.objectContaining({
        code: 'BACKEND_UNAVAILABLE',
        message: 'A thread that checks rows has failed. Nothing was imported.',
      }),
    );
    await gone(threads);
    expect(await rows()).toBe(0);
  });

  test('may belong to several imports at a time', async () => {
    const { threads, add, rows } = await place();
    const imports = ['a', 'b', 'c'].map((name) =>
      add(piecesOf(Array.from({ length: 5000 }, (_, i) => row(`${name} ${i}`)).join('\n'))),
    );
    for (const { imported } of await Promise.all(imports)) expect(imported).toBe(5000);
    expect(await rows()).toBe(15_000);
    expect(threads.running).toBe(0);
  });

  test('are so many that a few are parsed without any thread', async () => {
    const { add } = await place(new URL('failing-thread.ts', import.meta.url));
    expect(await add(piecesOf([1, 2, 3].map((id) => row(id)).join('\n')))).toMatchObject({ imported: 3 });
    expect(await add(piecesOf(''))).toMatchObject({ imported: 0 });
  });
});

test('threads that give way to requests leave half of the processors to them', () => {
  const processors = availableParallelism();
  expect(new ParseThreads({ isLowered: true }).size).toBe(
    Math.min(8, Math.max(1, Math.floor(processors / 2))),
  );
  expect(new ParseThreads({ isLowered: false }).size).toBe(Math.min(8, processors));
});
