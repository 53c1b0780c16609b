import type { RedisClient } from '../../../base/redis/redis-link.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Entry } from '../entries/entry-store.ts';

/** Clock differences below this, in milliseconds, are ignored: the round trip to Redis takes time as well. */
const tolerance = 250;

/**
 * Converts the times of entries between Redis's clock, which all replicas share, and this process's clock. Otherwise, a
 * replica whose clock is behind would use entries for too long.
 */
export class SharedTime {
  readonly #clock: Pick<Clock, 'now'>;
  /** How far Redis's clock is ahead of this process's, in whole milliseconds. */
  #ahead = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Compares the clocks. If Redis doesn't return its time, the difference is zero. */
  async compare(client: RedisClient): Promise<void> {
    const asked = this.#clock.now();
    const [seconds, microseconds] = await client.time().catch(() => []);
    const theirs = Number(seconds) * 1000 + Number(microseconds) / 1000;
    const ahead = Math.round(theirs - (asked + this.#clock.now()) / 2);
    // An entry with a slightly different time would seem to be another entry.
    if (Math.abs(ahead - this.#ahead) > tolerance) this.#ahead = ahead;
  }

  /** The entry in the form that is written. */
  toRedis(entry: Entry): Entry {
    return moved(entry, this.#ahead);
  }

  /** The entry in the form that was read. */
  fromRedis(entry: Entry): Entry {
    return moved(entry, -this.#ahead);
  }
}

function moved(entry: Entry, by: number): Entry {
  if (by === 0) return entry;
  const { madeAt, freshUntil, keptUntil } = entry;
  return { ...entry, madeAt: madeAt + by, freshUntil: freshUntil + by, keptUntil: keptUntil + by };
}
