import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/system/clock.ts';
import type { StoredEntry } from '../../../../src/calls/executor/entries/entry-store.ts';
import { encodeEntry } from '../../../../src/calls/executor/redis/entry-codec.ts';
import { namesIn } from '../../../../src/calls/executor/redis/names.ts';
import { packChunk } from '../../../../src/engines/rows/packed-chunk.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { describeWithRedis, type TestRedis } from '../../../support/redis.ts';
import { endpointWith } from '../support/endpoint.ts';
import { eachOnEmptyRedis, entryFor, keyedQuery, Stores, valueIn } from './support/stores.ts';

describeWithRedis('entries in Redis', () => {
  let redis: TestRedis;
  eachOnEmptyRedis((started) => {
    redis = started;
  });

  const name = namesIn('test').entry(keyedQuery('a').key);

  it('are what another replica reads', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    const entry = await entryFor(keyedQuery('a'), 7n);
    expect(await one.store.set(entry)).toBe(true);
    expect((await other.store.get(keyedQuery('a')))?.entry).toEqual(entry);
    expect(await valueIn(other.store, keyedQuery('a'))).toBe(7n);
    expect(await other.store.get(keyedQuery('b'))).toBeUndefined();
    expect(await other.store.get(keyedQuery('a', endpointWith({ version: 'v2' })))).toBeUndefined();
  });

  it('are apart from those of another namespace', async () => {
    await using stores = new Stores();
    const [one, other] = [await stores.connected(redis), await stores.connected(redis, 'test2')];
    await one.store.set(await entryFor(keyedQuery('a'), 7n));
    expect(await other.store.get(keyedQuery('a'))).toBeUndefined();
    expect(await other.store.invalidate({})).toBe(0);
    expect(await valueIn(one.store, keyedQuery('a'))).toBe(7n);
  });

  it('are there until they expire', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const now = Date.now();
    const entry = await entryFor(keyedQuery('a'), 7n, {
      madeAt: now - 1000,
      freshUntil: now,
      keptUntil: now + 400,
    });
    expect(await store.set(entry)).toBe(true);
    expect(await valueIn(store, keyedQuery('a'))).toBe(7n);
    await eventually('it has expired', async () => (await redis.command('EXISTS', name)) === 0);
    expect(await store.get(keyedQuery('a'))).toBeUndefined();
    expect(await store.set(entry)).toBe(false);
    // However long Redis keeps it.
    await redis.ask((client) => client.set(name, encodeEntry(entry)));
    expect(await store.get(keyedQuery('a'))).toBeUndefined();
  });

  it('are not read when they are damaged, foreign, of another keyedQuery or of other columns, and make room', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const good = await entryFor(keyedQuery('a'), 7n);
    const bytes = encodeEntry(good);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(60) ^ 1, 60);
    const values = [
      damaged,
      bytes.subarray(0, 30),
      Buffer.from(''),
      Buffer.from('{"value":"of another program"}'),
      Buffer.from(`EGE29999999999999999${'x'.repeat(100)}`),
      Buffer.from(`EGE1${bytes.subarray(4).toString('latin1')}`, 'latin1'),
      encodeEntry(await entryFor(keyedQuery('b'), 8n)),
      encodeEntry({ ...good, rows: packChunk([['a text']], 'zstd') }),
      encodeEntry({ ...good, rows: Buffer.from('these are no rows') }),
      encodeEntry({ ...good, rowCount: 2 }),
    ];
    for (const [index, value] of values.entries()) {
      await redis.ask((client) => client.set(name, value));
      expect(await store.get(keyedQuery('a')), `value ${index}`).toBeUndefined();
      await eventually('it is removed', async () => (await redis.command('EXISTS', name)) === 0);
    }
    await redis.command('LPUSH', name, 'a list');
    expect(await store.get(keyedQuery('a'))).toBeUndefined();
    expect(await store.set(good)).toBe(true);
    expect(await valueIn(store, keyedQuery('a'))).toBe(7n);
  });

  it.each([-3_600_000, 3_600_000])('have the age that they have by a clock that is %i ms off', async (by) => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const now = () => Date.now() + by;
    const other = await stores.connected(redis, 'test', { ...systemClock, now });
    const madeAt = Date.now() - 2_000;
    await store.set(await entryFor(keyedQuery('a'), 1n, { madeAt, freshUntil: madeAt + 5_000 }));
    const read = await other.store.get(keyedQuery('a'));
    expect(Math.abs(now() - 2_000 - (read?.entry.madeAt ?? 0))).toBeLessThan(500);
    expect(read?.entry.freshUntil).toBe((read?.entry.madeAt ?? 0) + 5_000);
    // A newer one replaces it, whatever the clock of the replica.
    const [made, ttl] = [now(), 60_000];
    const newer = { madeAt: made, freshUntil: made + ttl, keptUntil: made + ttl };
    expect(await other.store.set(await entryFor(keyedQuery('a'), 2n, newer))).toBe(true);
    expect(await valueIn(store, keyedQuery('a'))).toBe(2n);
  });

  it('are not overwritten by older ones', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const now = Date.now();
    expect(await store.set(await entryFor(keyedQuery('a'), 2n, { madeAt: now }))).toBe(true);
    expect(await store.set(await entryFor(keyedQuery('a'), 1n, { madeAt: now - 1 }))).toBe(false);
    expect(await valueIn(store, keyedQuery('a'))).toBe(2n);
    expect(await store.set(await entryFor(keyedQuery('a'), 3n, { madeAt: now + 1 }))).toBe(true);
    expect(await valueIn(store, keyedQuery('a'))).toBe(3n);
  });

  it('have a bound, below which large ones travel whole', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const rows = Buffer.alloc(16_000_001);
    expect(await store.set(await entryFor(keyedQuery('a'), 1n, { rows }))).toBe(false);
    const text = Array.from({ length: 400_000 }, () => Math.random().toString(36)).join('');
    const wide = endpointWith({
      plan: { ...endpointWith().plan, columns: [{ name: 'n', type: { kind: 'STRING' } }] },
    });
    const packed = packChunk([[text]], 'zstd');
    expect(packed.length).toBeGreaterThan(2_000_000);
    expect(await store.set(await entryFor(keyedQuery('a'), 1n, { rows: packed }))).toBe(true);
    // A busy machine may take longer for it than a caller waits.
    let found: StoredEntry | undefined;
    await eventually('it is read in time', async () => {
      found = await store.get(keyedQuery('a', wide));
      return found !== undefined;
    });
    expect(await found?.rows.all()).toEqual([[text]]);
  });

  it('are as if they were not there while Redis refuses to read or to write', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    expect(await store.set(await entryFor(keyedQuery('a'), 7n))).toBe(true);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    try {
      expect(await store.set(await entryFor(keyedQuery('b'), 8n))).toBe(false);
      expect(await store.lease(keyedQuery('b').key)).toBeUndefined();
      expect(await valueIn(store, keyedQuery('a'))).toBe(7n);
    } finally {
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    }
    expect(await store.set(await entryFor(keyedQuery('b'), 8n))).toBe(true);
  });
});
