import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import { Shares } from '../../base/fairness/shares.ts';
import type { SharedMemory } from '../../base/memory/shared-memory.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../../engines/engine/row-changes.ts';
import { endpointChanged } from '../call/authorised-call.ts';
import { scanLimitOf } from '../executor/scan-limits.ts';
import { KeptQueries } from './kept-queries.ts';
import type { LiveLoop } from './live-loop.ts';
import type { LiveMeter } from './live-meter.ts';
import type { Watcher, Watchers } from './watchers.ts';

/** A query that is watched: one run answers all who watch it. */
export interface LiveQuery {
  readonly endpoint: Endpoint;
  readonly watchers: Watchers;
  /** Its runs. */
  readonly loop: LiveLoop;
  /** Whether it is kept for clients that have lost their connection. */
  readonly isKept: boolean;
  /** Memory that it keeps between events, in bytes. */
  readonly bytes: number;
  /** Called when one who watched it has left. */
  left(watcher: Watcher): void;
  /** Forgets what can be read again, when memory is short. */
  shrink(): void;
  /** Called when rows have changed. */
  changed(changes: readonly RowChange[]): void;
}

/** The error of a stream that ends for one of another key, or of another subject. */
function giveWay(): GatewayError {
  const message = 'Others ask for live queries, of which you watch most. Try again later.';
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
}

interface LiveQueriesParts {
  readonly clock: Clock;
  /** Absent for engines that don't tell of new rows. */
  readonly changes?: RowChanges | undefined;
  /** How many different queries there may be. */
  readonly maxQueries: number;
  readonly isServed: (endpoint: Endpoint) => boolean;
  /** Counts what queries keep, for those who watch them. */
  readonly memory: SharedMemory;
  readonly meter: LiveMeter;
}

/** The queries that are being watched, by their keys. */
export class LiveQueries<Query extends LiveQuery> {
  readonly #queries = new Map<string, Query>();
  readonly #kept: KeptQueries<Query>;
  /** Each query counts for one account that watches it. */
  readonly #shares = new Shares<Query>();
  readonly #holders = new Map<Query, Account>();
  readonly #kind: 'result' | 'tail';
  readonly #maxQueries: number;
  readonly #isServed: (endpoint: Endpoint) => boolean;
  readonly #memory: SharedMemory;
  readonly #meter: LiveMeter;

  constructor(
    kind: 'result' | 'tail',
    { clock, changes, maxQueries, isServed, memory, meter }: LiveQueriesParts,
  ) {
    this.#kept = new KeptQueries({ clock, memory, maxQueries });
    this.#kind = kind;
    this.#maxQueries = maxQueries;
    this.#isServed = isServed;
    this.#memory = memory;
    this.#meter = meter;
    changes?.onChange((changed) => {
      for (const query of this.#queries.values()) query.changed(changed);
      for (const [, query] of this.#kept.all) query.changed(changed);
    });
  }

  get size(): number {
    return this.#queries.size;
  }

  /**
   * Joins those who watch a query, or begins it. The watcher leaves when its signal is aborted, and the query ends
   * with its last watcher. One that is kept goes on where it was when the next one joins.
   *
   * Those who may read different numbers of bytes don't share a query. If there are too many different queries, the newest one of the key with most of them ends for a key with fewer.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED if there are too many, and this key has its share; BACKEND_UNAVAILABLE if the
   *   endpoint was replaced while the query was planned; the signal's reason
   */
  join(asked: string, watcher: Watcher, make: () => Query): Query {
    // A run may read as much as the limit of its watcher lets it.
    const limit = scanLimitOf(watcher.call.endpoint, watcher.call.payer);
    const key = `${asked}\n${limit?.bytes}`;
    watcher.signal.throwIfAborted();
    watcher.call.requireServed();
    const known = this.#queries.get(key);
    if (known === undefined) this.#makeRoom(watcher.call.payer.account);
    using kept = this.#kept.take(key);
    const query = known ?? kept?.query ?? make();
    const { account } = watcher.call.payer;
    const shrink = () => {
      if (query.watchers.size === 0) this.#kept.drop(key);
      else query.shrink();
      this.#memory.resize(query, query.bytes);
    };
    const use = this.#memory.use(account, query, query.bytes, watcher.fail, shrink);
    query.watchers.add(watcher);
    const leave = () => {
      this.#leave(key, query, watcher);
      use[Symbol.dispose]();
    };
    watcher.signal.addEventListener('abort', leave, { once: true });
    if (known === undefined) {
      this.#queries.set(key, query);
      this.#hold(query, watcher.call.payer.account);
      this.#meter.queries(this.#kind, 1);
      query.loop.begin();
    }
    return query;
  }

  #makeRoom(account: Account): void {
    while (this.#queries.size >= this.#maxQueries) {
      const yielding = this.#shares.toYield(account);
      if (yielding === undefined) throw this.#noRoom(account);
      const { item: query, account: holder } = yielding;
      const [key] = [...this.#queries].find(([, each]) => each === query) ?? [''];
      for (const watcher of query.watchers.of(holder)) {
        watcher.fail(giveWay());
        this.#leave(key, query, watcher);
      }
    }
  }

  #noRoom({ key }: Account): GatewayError {
    const isOwn = this.#shares.sizeOf(key) > 0;
    const whose = isOwn ? 'This key has its share of them.' : 'Try again later.';
    const message = `${this.#maxQueries} different live queries are watched, which is the maximum. ${whose}`;
    return new GatewayError(isOwn ? 'RATE_LIMITED' : 'OVERLOADED', message, { retryAfterSeconds: 5 });
  }

  #hold(query: Query, account: Account): void {
    this.#holders.set(query, account);
    this.#shares.add(account, query);
  }

  #release(query: Query): void {
    const holder = this.#holders.get(query);
    if (holder !== undefined) this.#shares.delete(holder, query);
    this.#holders.delete(query);
  }

  #leave(key: string, query: Query, watcher: Watcher): void {
    if (!query.watchers.delete(watcher)) return;
    query.left(watcher);
    const [next] = query.watchers.accounts;
    const holder = this.#holders.get(query);
    if (next !== undefined) {
      const isHeld = holder === undefined || query.watchers.has(holder);
      if (isHeld) return;
      this.#release(query);
      this.#hold(query, next);
      return;
    }
    query.loop.end();
    this.#meter.queries(this.#kind, -1);
    // One that gave way, or whose endpoint has changed, does not go on.
    const hasLeft = this.#queries.get(key) === query && !(watcher.signal.reason instanceof GatewayError);
    this.#forget(key, query);
    if (hasLeft && query.isKept) this.#kept.keep(key, query, watcher.call.payer.account);
  }

  #forget(key: string, query: Query): void {
    if (this.#queries.get(key) !== query) return;
    this.#queries.delete(key);
    this.#release(query);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(): void {
    for (const [key, { endpoint }] of [...this.#kept.all])
      if (!this.#isServed(endpoint)) this.#kept.drop(key);
    for (const [key, query] of this.#queries) {
      if (this.#isServed(query.endpoint)) continue;
      this.#forget(key, query);
      query.watchers.fail(endpointChanged(query.endpoint));
    }
  }
}
