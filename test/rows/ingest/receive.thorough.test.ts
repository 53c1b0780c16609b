import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import { receiveRows } from '../../../src/rows/ingest/receive.ts';
import { makeSource, openTestStore, temporaryFolder } from '../../engines/duckdb/store/support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' });

const receive = (store: Pick<Store, 'sources' | 'append'>, body: AsyncIterable<Uint8Array>, more = {}) =>
  receiveRows(store, 'logs', body, { skipBadRows: false, signal: new AbortController().signal, ...more });

describe('a received body', () => {
  test('is read no further than it may grow, compressed once or twice', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const spaces = Buffer.alloc(80 * 1024 * 1024, ' ');
    const emptyMembers = Buffer.alloc(80 * 1024 * 1024, gzipSync('')).subarray(0, -7);
    const small = (bytes: Buffer) =>
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
    for (const body of [small(spaces), small(emptyMembers)]) {
      await expect(receive(store, Readable.from([body]), { contentEncoding: 'br' })).rejects.toThrow(
        expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
      );
    }
    const twice = gzipSync(gzipSync(spaces));
    await expect(receive(store, Readable.from([twice]), { contentEncoding: 'gzip' })).rejects.toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    );
  });

  test('is read no faster than the store takes it', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const taken = Promise.withResolvers<void>();
    const append: Store['append'] = async (to, batches, options) => {
      async function* heldUp() {
        for await (const batch of batches) {
          yield batch;
          await taken.promise;
        }
      }
      return store.append(to, heldUp(), options);
    };
    const message = 'x'.repeat(1024 * 1024);
    let made = 0;
    async function* body() {
      for (; made < 96; made++) yield Buffer.from(`{"id":"${message}${made}","timestamp":0}\n`);
    }
    const held = { sources: store.sources, append };
    const received = receive(held, body());
    // It is held up when nothing more is read for a while.
    for (let before = -1; before !== made; ) {
      before = made;
      await sleep(500);
    }
    // A few megabytes for each thread are under way.
    expect(made).toBeLessThan(24 + 8 * Math.min(availableParallelism(), 8));
    taken.resolve();
    expect((await received).imported).toBe(96);
  });
});
