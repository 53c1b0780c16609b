import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Clock, systemClock } from '../../../../../src/base/system/clock.ts';
import type { Entry, InvalidationFilter } from '../../../../../src/calls/executor/entries/entry-store.ts';
import { type KeyedQuery, warmedQueryOf } from '../../../../../src/calls/executor/entries/query-key.ts';
import { openRedisStore, type RedisStore } from '../../../../../src/calls/executor/redis/redis-store.ts';
import { packChunk } from '../../../../../src/engines/rows/packed-chunk.ts';
import { eventually } from '../../../../acceptance/support/processes.ts';
import type { FaultyServer } from '../../../../support/faulty-server.ts';
import { TestRedis } from '../../../../support/redis.ts';
import { endpointWith } from '../../support/endpoint.ts';

/** Starts a Redis for the tests of a block, which is empty before each of them. */
export function eachOnEmptyRedis(use: (redis: TestRedis) => void): void {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await TestRedis.start();
    use(redis);
  });
  beforeEach(async () => {
    await redis?.command('FLUSHALL');
  });
  afterAll(() => redis?.remove());
}

/** A store with what it has said. */
export interface OpenStore {
  readonly store: RedisStore;
  readonly lines: string[];
  readonly drops: InvalidationFilter[];
}

/** Stores of one test, each like that of a replica of its own. */
export class Stores implements AsyncDisposable {
  readonly #open: OpenStore[] = [];

  /** A store that has connected. */
  async connected(
    redis: Pick<TestRedis | FaultyServer, 'url'>,
    namespace = 'test',
    clock = systemClock,
  ): Promise<OpenStore> {
    const open = this.open(redis, namespace, clock);
    await eventually('the store has connected', () => open.store.isReachable);
    return open;
  }

  /** The stores of two replicas. */
  async pair(redis: Pick<TestRedis, 'url'>, namespace = 'test'): Promise<[OpenStore, OpenStore]> {
    return [await this.connected(redis, namespace), await this.connected(redis, namespace)];
  }

  open(
    { url }: Pick<TestRedis | FaultyServer, 'url'>,
    namespace = 'test',
    clock: Clock = systemClock,
  ): OpenStore {
    const lines: string[] = [];
    const drops: InvalidationFilter[] = [];
    const line = (message: string) => void lines.push(message);
    const log = { info: line, warn: line, error: line };
    const store = openRedisStore({ url, namespace, clock, log });
    store.onInvalidate((filter) => drops.push(filter));
    const open = { store, lines, drops };
    this.#open.push(open);
    return open;
  }

  async [Symbol.asyncDispose]() {
    await Promise.all(this.#open.map(({ store }) => store.close()));
  }
}

export const endpoint = endpointWith();

export function keyedQuery(project: string, of = endpoint): KeyedQuery {
  return warmedQueryOf(of, new Map([['project', project]]));
}

/** An entry that answers the query with one row. */
export async function entryFor(
  { key }: KeyedQuery,
  value: bigint,
  facts: Partial<Entry> = {},
): Promise<Entry> {
  const madeAt = facts.madeAt ?? Date.now();
  const rows = packChunk([[value]], 'zstd');
  const times = { madeAt, freshUntil: madeAt + 60_000, keptUntil: madeAt + 60_000 };
  return { key, rows, rowCount: 1, truncated: false, engineMs: 5, ...times, ...facts };
}

/** The value that the store has for the query. */
export async function valueIn(store: RedisStore, asked: KeyedQuery) {
  return (await (await store.get(asked))?.rows.all())?.[0]?.[0];
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The 99th percentile. */
export function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}
