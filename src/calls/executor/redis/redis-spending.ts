import type { RedisLink } from '../../../base/redis/redis-link.ts';
import type { SharedSpending } from '../budgets/byte-budgets.ts';
import type { Names } from './names.ts';

interface RedisSpendingOptions {
  readonly link: RedisLink;
  readonly names: Names;
  /** Distinguishes this replica from all others, and from itself before a restart. */
  readonly replica: string;
  /** Time limit of a command, in milliseconds. */
  readonly timeoutMs: number;
}

/** Counts outlive their day, for replicas whose clocks are behind. In seconds. */
const keptSeconds = 2 * 86_400;
/** Counts that one command publishes. */
const part = 100;
/** Maximum number of counts that are published again. */
const maxOwn = 1000;

/** Sets this replica's count of each account, and returns a list of all replicas' counts for each account. */
const exchangeScript = `
local counts = {}
for i, name in ipairs(KEYS) do
  if ARGV[i + 1] ~= '0' then
    redis.call('HSET', name, ARGV[1], ARGV[i + 1])
    redis.call('EXPIRE', name, ${keptSeconds})
  end
  counts[i] = redis.call('HGETALL', name)
end
return counts
`;

/**
 * Shares billed bytes in Redis: a hash for each day and account, with the count of each replica. A replica sets its own
 * count instead of adding to a common one, so that it can repeat the command, and one whose reply was lost counts once.
 */
export class RedisSpending implements SharedSpending {
  readonly #options: RedisSpendingOptions;
  /** This replica's counts of the day, by their names. */
  readonly #own = new Map<string, number>();
  #day = '';

  constructor(options: RedisSpendingOptions) {
    this.#options = options;
  }

  async exchange(
    day: string,
    own: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, number> | undefined> {
    const { names, replica } = this.#options;
    if (day !== this.#day) this.#own.clear();
    this.#day = day;
    const accounts = [...own.keys()];
    const named = new Map([...own].map(([account, bytes]) => [names.spending(day, account), bytes]));
    for (const [name, bytes] of named) this.#keep(name, bytes);
    const counts = await this.#publish(named);
    return counts && new Map(accounts.map((account, index) => [account, ofOthers(counts[index], replica)]));
  }

  /** Publishes the counts again: Redis may not have got them, or may have lost them. */
  async settle(): Promise<void> {
    // In parts, each within the time limit.
    const names = [...this.#own.keys()];
    for (let at = 0; at < names.length; at += part) {
      const named = names.slice(at, at + part).map((name) => [name, this.#own.get(name) ?? 0] as const);
      await this.#publish(new Map(named));
    }
  }

  async #publish(counts: ReadonlyMap<string, number>): Promise<readonly unknown[] | undefined> {
    const { link, replica, timeoutMs } = this.#options;
    try {
      const answer: unknown = await link.run(timeoutMs, (client) =>
        client.eval(exchangeScript, {
          keys: [...counts.keys()],
          arguments: [replica, ...[...counts.values()].map(String)],
        }),
      );
      return Array.isArray(answer) ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  #keep(name: string, bytes: number): void {
    if (bytes === 0) return;
    this.#own.delete(name);
    this.#own.set(name, bytes);
    if (this.#own.size > maxOwn) for (const oldest of this.#own.keys().take(1)) this.#own.delete(oldest);
  }
}

/** The sum of a hash of alternating names and counts, without the replica's own. Invalid counts are ignored. */
function ofOthers(hash: unknown, replica: string): number {
  if (!Array.isArray(hash)) return 0;
  let sum = 0;
  for (let at = 0; at + 1 < hash.length; at += 2) {
    const count = Number(hash[at + 1]);
    if (hash[at] !== replica && Number.isSafeInteger(count) && count > 0) sum += count;
  }
  return sum;
}
