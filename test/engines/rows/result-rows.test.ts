import { serialize } from 'node:v8';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inChunks } from '../../../src/engines/rows/in-chunks.ts';
import { type ChunkForm, packChunk } from '../../../src/engines/rows/packed-chunk.ts';
import { packedRows, type ResultRows, rowsInMemory } from '../../../src/engines/rows/result-rows.ts';
import type { Row, Value } from '../../../src/sql/values/value.ts';

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));
const someRows = fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 10 });

/** So many rows of some 1,000 bytes, with something to compress in them. */
const manyRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => [BigInt(index), `row ${index} `.repeat(100), [null, [true]]]);

/** The rows as they come over from elsewhere. */
function received(rows: readonly Row[], form: ChunkForm = 'zstd'): ResultRows {
  return packedRows(
    [...inChunks(rows)].map((chunk) => packChunk(chunk, form)),
    rows.length,
  );
}

async function chunksOf(rows: ResultRows): Promise<(readonly Row[])[]> {
  const chunks: (readonly Row[])[] = [];
  for await (const chunk of rows.chunks()) chunks.push(chunk);
  return chunks;
}

describe.each<[string, (rows: readonly Row[]) => ResultRows]>([
  ['in memory', rowsInMemory],
  ['that came as chunks', (rows) => received(rows)],
  ['that came as plain chunks', (rows) => received(rows, 'plain')],
])('rows %s', (_, make) => {
  test('are the same in chunks, all at once, and packed and unpacked', async () => {
    const isKept = fc.asyncProperty(someRows, async (rows) => {
      const made = make(rows);
      expect(made.count).toBe(rows.length);
      expect((await chunksOf(made)).flat()).toStrictEqual(rows);
      expect(await made.all()).toStrictEqual(rows);
      const packed = await made.packed();
      expect(await packedRows([packed], rows.length).all()).toStrictEqual(rows);
      expect(await packedRows([packed], rows.length).packed()).toEqual(packed);
    });
    await fc.assert(isKept);
  });

  test('come a few at a time, with turns of the event loop in between', async () => {
    const made = make(manyRows(3000));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const lengths: number[] = [];
    for await (const chunk of made.chunks()) {
      lengths.push(chunk.length);
      const busyUntil = performance.now() + 1.1;
      while (performance.now() < busyUntil);
    }
    isOver = true;
    expect(lengths.length).toBeGreaterThan(20);
    expect(Math.max(...lengths)).toBeLessThan(150);
    expect(turns).toBeGreaterThanOrEqual(lengths.length);
  });

  test('are made once for everybody who needs all', async () => {
    const made = make(manyRows(300));
    const [first, second] = await Promise.all([made.all(), made.all()]);
    expect(second).toBe(first);
  });

  test('say how many bytes they take, about', () => {
    const bytes = (count: number) => make(manyRows(count)).bytes;
    expect(bytes(0)).toBe(0);
    expect(bytes(200)).toBeGreaterThan(bytes(100));
  });
});

test('rows that came as chunks are packed as they came, in memory of their own', async () => {
  const chunks = [...inChunks(manyRows(300))].map((chunk) => packChunk(chunk, 'zstd'));
  const socket = Buffer.concat([Buffer.alloc(10_000), ...chunks]);
  const packed = await packedRows([socket.subarray(10_000)], 300).packed();
  expect(packed).toEqual(Buffer.concat(chunks));
  expect(packed.buffer.byteLength).toBe(packed.length);
  expect((await rowsInMemory([[1n]]).packed()).buffer.byteLength).toBeLessThan(100);
});

test('a large row is a chunk of its own', () => {
  const large: Row = ['x'.repeat(300_000)];
  expect([...inChunks([[1n], large, large, [2n], [3n]])]).toEqual([[[1n]], [large], [large], [[2n], [3n]]]);
});

test.each<[string, Buffer]>([
  ['of another form', Buffer.concat([Buffer.of(9), packChunk([[1n]], 'plain').subarray(1)])],
  ['without their end', packChunk([[1n]], 'zstd').subarray(0, -1)],
  ['that have only begun', packChunk([[1n]], 'zstd').subarray(0, 3)],
  ['that are something else', Buffer.from('{"value":"of another program"}')],
  ['as they were kept before', zstdCompressSync(serialize([[1n]]))],
])('bytes %s are no chunks', async (_, bytes) => {
  await expect(packedRows([bytes], 1).all()).rejects.toThrow();
});
