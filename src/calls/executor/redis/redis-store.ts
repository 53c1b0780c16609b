import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../../base/errors/errors.ts';
import { OutageLog } from '../../../base/redis/outage-log.ts';
import type { RedisPlace } from '../../../base/redis/redis-address.ts';
import { RedisLink } from '../../../base/redis/redis-link.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Entry, EntryStore, InvalidationFilter, Lease, StoredEntry } from '../entries/entry-store.ts';
import { PendingWork, type Work } from '../entries/entry-store.ts';
import type { KeyedQuery } from '../entries/query-key.ts';
import { checkedRows, decodeEntry, encodeEntry } from './entry-codec.ts';
import { InvalidationFeed } from './invalidation-feed.ts';
import { Leases } from './leases.ts';
import { type Names, namesIn } from './names.ts';
import { deleteMatching, entriesOn, UnseenInvalidations } from './redis-entries.ts';
import { RedisSpending } from './redis-spending.ts';
import { SharedTime } from './shared-time.ts';

interface RedisStoreOptions extends RedisPlace {
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** How long a caller may wait for one reply, in milliseconds. The first late reply ends the wait of all callers. */
const timeoutMs = 35;
/** Time limit for writing an entry, in milliseconds: it runs in the background. */
const writeMs = 1000;
/** The size limit of shared entries, and of all bytes in flight. */
const maxEntryBytes = 16_000_000;
const maxBytesInFlight = 64_000_000;
/** Within this many milliseconds, connected replicas have received an invalidation. */
const propagationMs = 30;
/** Attempts to write while invalidations are unprocessed, and the pause between them, in milliseconds. */
const writeTries = 10;
const writePauseMs = 30;

/** Starts connecting to Redis without waiting. */
export function openRedisStore(options: RedisStoreOptions): RedisStore {
  return new RedisStore(options);
}

/** Entries, leases and invalidations that replicas share in Redis or Valkey. An unavailable Redis is treated as empty. */
export class RedisStore implements EntryStore {
  readonly #clock: Clock;
  readonly #names: Names;
  readonly #outages: OutageLog;
  /** For commands that callers wait for. */
  readonly #callerLink: RedisLink;
  /** For background commands, and slower ones. */
  readonly #backgroundLink: RedisLink;
  readonly #feedLink: RedisLink;
  readonly #leases: Leases;
  readonly spending: RedisSpending;
  readonly #feed: InvalidationFeed;
  readonly #time: SharedTime;
  readonly #inFlight = new PendingWork();
  readonly #closing = new AbortController();
  readonly #listeners: ((filter: InvalidationFilter) => void)[] = [];
  #bytesInFlight = 0;

  constructor({ url, namespace, clock, log, random = Math.random }: RedisStoreOptions) {
    this.#clock = clock;
    this.#names = namesIn(namespace);
    this.#outages = new OutageLog(log, clock);
    const onRefused = (reason: string) => this.#outages.refused(reason);
    const link = { url, namespace, clock, random, onRefused };
    this.#time = new SharedTime(clock);
    this.#callerLink = new RedisLink({
      ...link,
      isLatencyCritical: true,
      prepare: (client) => this.#time.compare(client),
      onUp: () => {
        this.#outages.back();
        this.#leases.settle();
        this.spending.settle();
      },
      onAway: (reason) => this.#outages.away(reason),
    });
    this.#backgroundLink = new RedisLink(link);
    this.#feedLink = new RedisLink(link);
    const token = () => randomBytes(16).toString('base64url');
    this.#leases = new Leases({ link: this.#callerLink, clock, names: this.#names, token, timeoutMs });
    this.spending = new RedisSpending({
      link: this.#callerLink,
      names: this.#names,
      replica: token(),
      timeoutMs,
    });
    this.#feed = new InvalidationFeed({
      link: this.#feedLink,
      clock,
      name: this.#names.invalidations,
      replica: token(),
      onInvalidate: (filter) => this.#invalidateHere(filter),
      onReverted: async () => void (await this.invalidate({})),
    });
  }

  /** Whether Redis answers. */
  get isReachable(): boolean {
    const links = [this.#callerLink, this.#backgroundLink, this.#feedLink];
    return links.every(({ isUp }) => isUp) && this.#feed.seen !== undefined;
  }

  get({ key, plan }: KeyedQuery): Promise<StoredEntry | undefined> {
    return this.#inFlight.during(key, async (work) => {
      try {
        const name = this.#names.entry(key);
        const bytes = await this.#callerLink.run(timeoutMs, (client) => entriesOn(client).get(name));
        if (bytes === undefined) return undefined;
        const written = decodeEntry(bytes);
        if (written === undefined || written.key !== key) return this.#discard(name);
        const entry = this.#time.fromRedis(written);
        if (this.#clock.now() >= entry.keptUntil) return undefined;
        const rows = await checkedRows(entry, plan.columns);
        if (rows === undefined) return this.#discard(name);
        return work.isInvalidated ? undefined : { entry, rows };
      } catch {
        return undefined;
      }
    });
  }

  async set(entry: Entry): Promise<boolean> {
    const size = entry.rows.length + entry.key.length;
    if (size > maxEntryBytes || this.#bytesInFlight + size > maxBytesInFlight) return false;
    this.#bytesInFlight += size;
    try {
      return await this.#inFlight.during(entry.key, (work) => this.#write(entry, work));
    } catch {
      return false;
    } finally {
      this.#bytesInFlight -= size;
    }
  }

  lease(key: string): Promise<Lease | 'taken' | undefined> {
    return this.#leases.take(key);
  }

  /**
   * Announces the invalidation before and after deleting. A matching entry can be written until the first announcement, and
   * is deleted then. It can be read until it is deleted, and the second announcement invalidates it. When this returns,
   * other replicas had the time to process both.
   */
  async invalidate(filter: InvalidationFilter): Promise<number> {
    const announce = () => this.#backgroundLink.run(writeMs, (client) => this.#feed.announce(client, filter));
    this.#invalidateInFlight(filter);
    try {
      await announce();
      const deleted = await deleteMatching(this.#backgroundLink, this.#names, filter);
      await announce();
      this.#invalidateHere(filter);
      await this.#clock.sleep(propagationMs, this.#closing.signal);
      return deleted;
    } catch (cause) {
      throw new GatewayError(
        'BACKEND_UNAVAILABLE',
        'Redis cannot be reached: it and other replicas may still have these entries',
        { cause, retryAfterSeconds: 1 },
      );
    }
  }

  onInvalidate(listener: (filter: InvalidationFilter) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#outages.close();
    await this.#leases.releaseAll();
    await Promise.all(
      [this.#feed, this.#callerLink, this.#backgroundLink, this.#feedLink].map((part) => part.close()),
    );
  }

  async #write(entry: Entry, work: Work): Promise<boolean> {
    const name = this.#names.entry(entry.key);
    const written = this.#time.toRedis(entry);
    const bytes = encodeEntry(written);
    const conditions = {
      madeAt: written.madeAt,
      leaseName: this.#names.lease(entry.key),
      leaseToken: this.#leases.tokenOf(entry.key) ?? '',
      invalidationsName: this.#names.invalidations,
    };
    for (let tried = 0; tried < writeTries; tried++) {
      const seenInvalidation = this.#feed.seen;
      const ttl = entry.keptUntil - this.#clock.now();
      if (work.isInvalidated || ttl <= 0 || !this.#callerLink.isUp) return false;
      try {
        if (seenInvalidation !== undefined) {
          return await this.#backgroundLink.run(writeMs, (client) =>
            entriesOn(client).set(name, bytes, ttl, { ...conditions, seenInvalidation }),
          );
        }
      } catch (error) {
        if (!(error instanceof UnseenInvalidations)) return false;
      }
      await this.#clock.sleep(writePauseMs, this.#closing.signal);
    }
    return false;
  }

  /** Deletes an invalid value or the entry of another key, which would block newer ones. */
  async #discard(name: string): Promise<undefined> {
    this.#backgroundLink.run(writeMs, (client) => entriesOn(client).delete(name)).catch(() => {});
  }

  #invalidateHere(filter: InvalidationFilter): void {
    this.#invalidateInFlight(filter);
    for (const listener of this.#listeners) listener(filter);
  }

  /** Invalidates work in flight in the store itself. */
  #invalidateInFlight(filter: InvalidationFilter): void {
    this.#inFlight.invalidate(filter);
    this.#leases.invalidate(filter);
  }
}
