import type { RedisLink } from '../../../base/redis/redis-link.ts';
import type { OwnCount, SharedCount, SharedSpending } from '../allowances/shared-spending.ts';
import type { Names } from './names.ts';

interface RedisSpendingOptions {
  readonly link: RedisLink;
  readonly names: Names;
  /** Distinguishes this replica from all others, and from itself before a restart. */
  readonly replica: string;
  /** Time limit of a command, in milliseconds. */
  readonly timeoutMs: number;
}

/** Counts outlive their period, for replicas whose clocks are behind. In seconds. */
const keptSeconds = { hour: 2 * 3600, day: 2 * 86_400, month: 33 * 86_400 };

/** Sets this replica's count of each name, and returns a list of all replicas' counts for each name. */
const exchangeScript = `
local counts = {}
for i, name in ipairs(KEYS) do
  local own, seconds = ARGV[2 * i], ARGV[2 * i + 1]
  if own ~= '0' then
    redis.call('HSET', name, ARGV[1], own)
    redis.call('EXPIRE', name, seconds)
  end
  counts[i] = redis.call('HGETALL', name)
end
return counts
`;

/**
 * Shares counts of use in Redis: a hash for each period and account, with the count of each replica. A replica sets its own
 * count instead of adding to a common one, so that it can repeat the command, and one whose reply was lost counts once.
 */
export class RedisSpending implements SharedSpending {
  readonly #options: RedisSpendingOptions;
  readonly #listeners: (() => void)[] = [];

  constructor(options: RedisSpendingOptions) {
    this.#options = options;
  }

  async exchange(counts: readonly OwnCount[]): Promise<readonly SharedCount[] | undefined> {
    const { link, names, replica, timeoutMs } = this.#options;
    try {
      const answer: unknown = await link.run(timeoutMs, (client) =>
        client.eval(exchangeScript, {
          keys: counts.map((count) => names.spending(count)),
          arguments: [replica, ...counts.flatMap(({ own, per }) => [String(own), String(keptSeconds[per])])],
        }),
      );
      return Array.isArray(answer)
        ? counts.map((_, index) => sharedCount(answer[index], replica))
        : undefined;
    } catch {
      return undefined;
    }
  }

  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Has the counts published again: Redis may not have got them, or may have lost them. */
  settle(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The sums of a hash of alternating names and counts. Invalid counts are ignored. */
function sharedCount(hash: unknown, replica: string): SharedCount {
  let [mine, others] = [0, 0];
  if (!Array.isArray(hash)) return { mine, others };
  for (let at = 0; at + 1 < hash.length; at += 2) {
    const count = Number(hash[at + 1]);
    if (!Number.isSafeInteger(count) || count <= 0) continue;
    if (hash[at] === replica) mine += count;
    else others += count;
  }
  return { mine, others };
}
