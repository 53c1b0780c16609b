import { describe, expect, it } from 'vitest';
import { decodeEntry, encodeEntry, keyOfHead } from '../../../../src/calls/executor/redis/entry-codec.ts';
import { entryFor, keyedQuery } from './support/stores.ts';

const entry = await entryFor(keyedQuery('Zürich\u0000'), 7n, { engineMs: 1.5, truncated: true });

describe('an entry as bytes', () => {
  it('is read as what was written', () => {
    expect(decodeEntry(encodeEntry(entry))).toEqual(entry);
  });

  it('is read without keeping what it came in', () => {
    const bytes = encodeEntry(entry);
    const packet = Buffer.concat([Buffer.alloc(60_000), bytes]);
    const rows = decodeEntry(packet.subarray(60_000))?.rows;
    expect(rows).toEqual(entry.rows);
    expect(rows?.buffer.byteLength).toBe(entry.rows.length);
  });

  it('is none when any byte of it is another one, missing or added', () => {
    const bytes = encodeEntry(entry);
    for (let index = 0; index < bytes.length; index++) {
      const damaged = Buffer.from(bytes);
      damaged[index] = (damaged[index] ?? 0) ^ 0x11;
      expect(decodeEntry(damaged), `byte ${index}`).toBeUndefined();
      expect(decodeEntry(bytes.subarray(0, index)), `${index} bytes`).toBeUndefined();
    }
    expect(decodeEntry(Buffer.concat([bytes, Buffer.from('.')]))).toBeUndefined();
  });

  it('is none when its times contradict each other', async () => {
    for (const facts of [{ freshUntil: 5 }, { keptUntil: 5 }, { rowCount: -1 }, { madeAt: 2 ** 53 }]) {
      expect(decodeEntry(encodeEntry({ ...entry, ...facts }))).toBeUndefined();
    }
  });

  it('has its key at the beginning, or says how much more of it is needed', () => {
    const bytes = encodeEntry(entry);
    const needed = keyOfHead(bytes.subarray(0, 50));
    expect(needed).toBe(bytes.length - entry.rows.length);
    expect(keyOfHead(bytes.subarray(0, Number(needed)))).toBe(entry.key);
    expect(keyOfHead(Buffer.from('something else that is long enough to hold a head'))).toBeUndefined();
  });
});
