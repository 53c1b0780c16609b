import type { Counts, Operations } from '../../api/operations.ts';

/** What the gateway has said at a time. */
export interface Snapshot {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly operations: Operations;
}

/** How far the page looks back, in milliseconds. */
const keptMs = 15 * 60_000;

/** The snapshots with a new one. Those of a gateway that has been started again don't count any more. */
export function withSnapshot(snapshots: readonly Snapshot[], next: Snapshot): readonly Snapshot[] {
  const kept = snapshots.filter(
    ({ at, operations }) =>
      operations.startedAt === next.operations.startedAt && at > next.at - keptMs && at < next.at,
  );
  return [...kept, next];
}

/** The part of calls that the cache answered; undefined without calls of endpoints with a cache. */
export function hitRate({ hit = 0, miss = 0, stale = 0 }: Counts): number | undefined {
  const all = hit + miss + stale;
  return all === 0 ? undefined : hit / all;
}

/** How much more a count is than it was. */
function growth(now: Counts, before: Counts): Counts {
  return Object.fromEntries(Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)]));
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The calls of each kind by second, between a snapshot and the one before it. */
export function callRates(snapshots: readonly Snapshot[]): readonly {
  readonly at: number;
  readonly rates: Counts;
}[] {
  return snapshots.slice(1).flatMap((snapshot, index) => {
    const before = snapshots[index];
    if (before === undefined) return [];
    const seconds = (snapshot.at - before.at) / 1000;
    const grown = growth(snapshot.operations.cache.calls, before.operations.cache.calls);
    const rates = Object.fromEntries(Object.entries(grown).map(([name, count]) => [name, count / seconds]));
    return [{ at: snapshot.at, rates }];
  });
}

/** Answered and failed requests of all APIs by second, over the span of the snapshots. */
export function requestRate(snapshots: readonly Snapshot[]): number | undefined {
  const [first, last] = [snapshots.at(0), snapshots.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const count = ({ operations }: Snapshot) => operations.requests.reduce((sum, each) => sum + each.count, 0);
  return ((count(last) - count(first)) * 1000) / (last.at - first.at);
}
