import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import { packBatch, unpackBatch } from '../../../src/sql/columns/packed-batch.ts';
import { columns, rows } from '../../rows/formats/every-type.ts';

const someRows = fc.array(fc.constantFrom(...rows), { maxLength: 30 });

/** Memory that was used before, and is larger than asked for. */
const used = (bytes: number) => new Uint8Array(new ArrayBuffer(bytes + 100), 0, bytes).fill(0xaa);

test('a packed batch has the columns of the batch', () => {
  fc.assert(
    fc.property(someRows, (given) => {
      const batch = columnsOfRows(columns, given);
      expect(plain(unpackBatch(packBatch(batch, used)))).toEqual(plain(batch));
    }),
  );
});

test('columns are views of the bytes', () => {
  const packed = packBatch(columnsOfRows(columns, rows), used);
  for (const { data } of unpackBatch(packed).columns) {
    if (data !== undefined) expect(data.buffer).toBe(packed.buffer);
  }
});

test('bytes may begin anywhere', () => {
  const batch = columnsOfRows(columns, rows);
  const packed = packBatch(batch, used);
  const moved = Buffer.concat([Buffer.alloc(3), packed]).subarray(3);
  expect(plain(unpackBatch(moved))).toEqual(plain(batch));
});

/** Views with their class and bytes, whether they are a `Buffer` or not. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const name = value instanceof Uint8Array ? 'Uint8Array' : value.constructor.name;
    return [name, Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')];
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
