import type { RedisLink } from '../../../base/redis/redis-link.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { InvalidationFilter, Lease } from '../entries/entry-store.ts';
import { isInvalidated } from '../entries/entry-store.ts';
import type { Names } from './names.ts';

interface LeasesOptions {
  readonly link: RedisLink;
  readonly clock: Clock;
  readonly names: Names;
  /** A unique text. */
  readonly token: () => string;
  /** Time limit of a command, in milliseconds. */
  readonly timeoutMs: number;
}

/** How long a lease lasts without renewal, and how often it is renewed, in milliseconds. */
const leaseMs = 3000;
const renewMs = 1000;
/** Maximum number of leases to release later. Further ones expire. */
const maxUnsettled = 1000;

/** Takes over entries that would outlive a lease or are not strings: they would never be released. */
const takeScript = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ${leaseMs}) then return 1 end
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and left <= ${leaseMs} then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ${leaseMs})
return 1
`;
const ifOwn = (command: string) =>
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(${command}) end return 0`;
const renewScript = ifOwn(`'PEXPIRE', KEYS[1], ${leaseMs}`);
const releaseScript = ifOwn(`'DEL', KEYS[1]`);

interface Held {
  readonly token: string;
  readonly release: () => Promise<void>;
}

/** The leases of this replica. A lease expires when its holder crashes or hangs, because it isn't renewed. */
export class Leases {
  readonly #options: LeasesOptions;
  /** By the full keys of the results in flight. A lost lease stays here until it is released. */
  readonly #held = new Map<string, Held>();
  /** Leases that this replica may hold, by name: Redis could not be reached or did not answer. */
  readonly #unsettled = new Map<string, string>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Takes a lease. Returns `taken` while another replica has it, or undefined if Redis can't be asked. */
  async take(key: string): Promise<Lease | 'taken' | undefined> {
    const { link, names, token: newToken, timeoutMs } = this.#options;
    const name = names.lease(key);
    const token = newToken();
    if (!link.isUp) return undefined;
    try {
      const answer = await link.run(timeoutMs, (client) =>
        client.eval(takeScript, { keys: [name], arguments: [token] }),
      );
      if (answer === 1) return this.#add(key, name, token);
      return answer === 0 ? 'taken' : undefined;
    } catch {
      // Redis may have executed the command, unless it replied with a refusal.
      if (!link.isUp) this.#settleLater(name, token);
      return undefined;
    }
  }

  /** The token of the current or lost lease for this key, if any. */
  tokenOf(key: string): string | undefined {
    return this.#held.get(key)?.token;
  }

  /** Releases the leases of invalidated entries: their results won't be cached. */
  invalidate(filter: InvalidationFilter): void {
    for (const [key, { release }] of this.#held) if (isInvalidated(key, filter)) void release();
  }

  /** Releases leases that could not be released before. */
  settle(): void {
    const unsettled = [...this.#unsettled];
    this.#unsettled.clear();
    for (const [name, token] of unsettled) void this.#release(name, token);
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ release }) => release()));
  }

  #add(key: string, name: string, token: string): Lease {
    const { clock } = this.#options;
    let timer = clock.after(renewMs, renew);
    let isHeld = true;
    const held: Held = {
      token,
      release: async () => {
        timer.cancel();
        if (!isHeld) return;
        isHeld = false;
        if (this.#held.get(key) === held) this.#held.delete(key);
        await this.#release(name, token);
      },
    };
    this.#held.set(key, held);
    const isRenewed = () => this.#isRenewed(name, token);
    async function renew() {
      if ((await isRenewed()) && isHeld) timer = clock.after(renewMs, renew);
    }
    return held;
  }

  /** Whether this replica still has the lease, as far as it knows. */
  async #isRenewed(name: string, token: string): Promise<boolean> {
    const { link, timeoutMs } = this.#options;
    try {
      return await link.run(timeoutMs, async (client) => {
        return (await client.eval(renewScript, { keys: [name], arguments: [token] })) === 1;
      });
    } catch {
      return true;
    }
  }

  async #release(name: string, token: string): Promise<void> {
    const { link, timeoutMs } = this.#options;
    try {
      await link.run(timeoutMs, (client) => client.eval(releaseScript, { keys: [name], arguments: [token] }));
    } catch {
      if (!link.isUp) this.#settleLater(name, token);
    }
  }

  /** Remembers a lease to release later. Bounded, so that a full Redis that refuses every lease doesn't fill this process. */
  #settleLater(name: string, token: string): void {
    this.#unsettled.delete(name);
    this.#unsettled.set(name, token);
    if (this.#unsettled.size > maxUnsettled)
      for (const oldest of this.#unsettled.keys().take(1)) this.#unsettled.delete(oldest);
  }
}
