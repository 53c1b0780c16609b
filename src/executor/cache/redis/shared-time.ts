import type { Clock } from '../../../clock.ts';
import type { RedisClient } from '../../../redis/redis-link.ts';
import type { Entry } from '../entry.ts';

/** Clocks that differ by less, in milliseconds, count as being the same: the way to Redis takes time as well. */
const tolerance = 250;

/**
 * The times of entries by Redis's clock, which is the same for all replicas, and by this process's own. Without that, a
 * replica whose clock is behind would use what another one has made for longer than it may be used.
 */
export class SharedTime {
  readonly #clock: Pick<Clock, 'now'>;
  /** How much Redis's clock is ahead of ours. In whole milliseconds. */
  #ahead = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Compares the clocks. A Redis that doesn't tell the time is taken to have ours. */
  async compare(client: RedisClient): Promise<void> {
    const asked = this.#clock.now();
    const [seconds, microseconds] = await client.time().catch(() => []);
    const theirs = Number(seconds) * 1000 + Number(microseconds) / 1000;
    const ahead = Math.round(theirs - (asked + this.#clock.now()) / 2);
    // An entry would seem to be another one if it were read with ever so little another time.
    if (Math.abs(ahead - this.#ahead) > tolerance) this.#ahead = ahead;
  }

  /** The entry as it is written. */
  toRedis(entry: Entry): Entry {
    return moved(entry, this.#ahead);
  }

  /** The entry that was read. */
  fromRedis(entry: Entry): Entry {
    return moved(entry, -this.#ahead);
  }
}

function moved(entry: Entry, by: number): Entry {
  if (by === 0) return entry;
  const { madeAt, freshUntil, keptUntil } = entry;
  return { ...entry, madeAt: madeAt + by, freshUntil: freshUntil + by, keptUntil: keptUntil + by };
}
