import type { Clock } from '../../../clock.ts';
import type { RedisLink } from '../../../redis/redis-link.ts';
import type { InvalidationFilter, Lease } from '../entry-store.ts';
import { isInvalidated } from '../is-invalidated.ts';
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
/** How many leases to return later are remembered. Others expire. */
const mostOwed = 1000;

/** Takes over entries that would outlive a lease or are not strings: they would never be returned. */
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
  /** By the full keys of the results in flight. A lost lease stays here until it is returned. */
  readonly #held = new Map<string, Held>();
  /** Leases that may be ours, by name: Redis could not be reached, or did not answer. */
  readonly #owed = new Map<string, string>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** The lease, `taken` while another replica has it, or undefined when Redis can't be asked. */
  async take(key: string): Promise<Lease | 'taken' | undefined> {
    const { link, names, token: newToken, timeoutMs } = this.#options;
    const name = names.lease(key);
    const token = newToken();
    if (!link.isUp) return undefined;
    try {
      const answer = await link.run(timeoutMs, (client) =>
        client.eval(takeScript, { keys: [name], arguments: [token] }),
      );
      if (answer === 1) return this.#hold(key, name, token);
      return answer === 0 ? 'taken' : undefined;
    } catch {
      // Redis may have executed the command, unless it replied with a refusal.
      if (!link.isUp) this.#owe(name, token);
      return undefined;
    }
  }

  /** The token of the present or lost lease for this key; undefined when there was none. */
  tokenOf(key: string): string | undefined {
    return this.#held.get(key)?.token;
  }

  /** Returns the leases of invalidated entries: their results won't be cached. */
  invalidate(filter: InvalidationFilter): void {
    for (const [key, { release }] of this.#held) if (isInvalidated(key, filter)) void release();
  }

  /** Returns leases that could not be returned before. */
  settle(): void {
    const owed = [...this.#owed];
    this.#owed.clear();
    for (const [name, token] of owed) void this.#giveBack(name, token);
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ release }) => release()));
  }

  #hold(key: string, name: string, token: string): Lease {
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
        await this.#giveBack(name, token);
      },
    };
    this.#held.set(key, held);
    const isRenewed = () => this.#isRenewed(name, token);
    async function renew() {
      if ((await isRenewed()) && isHeld) timer = clock.after(renewMs, renew);
    }
    return held;
  }

  /** Whether it is still ours, as far as this process knows. */
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

  async #giveBack(name: string, token: string): Promise<void> {
    const { link, timeoutMs } = this.#options;
    try {
      await link.run(timeoutMs, (client) => client.eval(releaseScript, { keys: [name], arguments: [token] }));
    } catch {
      if (!link.isUp) this.#owe(name, token);
    }
  }

  /** Remembers it for a while. Bounded, so that a full Redis that refuses every lease doesn't fill this process. */
  #owe(name: string, token: string): void {
    this.#owed.delete(name);
    this.#owed.set(name, token);
    if (this.#owed.size > mostOwed) for (const oldest of this.#owed.keys().take(1)) this.#owed.delete(oldest);
  }
}
