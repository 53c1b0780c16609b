import { demoRows } from './demo-rows.ts';
import type { DemoStore } from './demo-store.ts';
import { stretches } from './pace.ts';

interface DemoTickerOptions {
  /** Where to go on, in microseconds since the epoch: the `until` of the filling. */
  readonly from: bigint;
  /** The present, in microseconds since the epoch. */
  readonly clock: () => bigint;
  /** Gives numbers from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Told once when the ticker ends by itself. */
  readonly onEnd: (reason: DemoEnd) => void;
}

/** Why a ticker ended by itself: somebody's own rows came into the store, or adding failed. */
export type DemoEnd = { readonly kind: 'other rows' } | { readonly kind: 'failed'; readonly error: unknown };

interface DemoTicker {
  /** Settles when the rows that are being added are in; afterwards the store may be closed. */
  stop(): Promise<void>;
}

const microsPerSecond = 1_000_000n;
const intervalMs = 1000;

/**
 * Adds, each second, the made-up rows of the seconds that have passed. After a long pause, as of a computer that
 * slept, it catches up the way a filling does.
 */
export function startDemoTicker(demo: DemoStore, options: DemoTickerOptions): DemoTicker {
  const { clock, random, onEnd } = options;
  let from = options.from;
  let stopped = false;
  let adding: Promise<void> | undefined;

  const timer = setInterval(() => {
    adding ??= tick().finally(() => {
      adding = undefined;
    });
  }, intervalMs);

  const stop = async () => {
    stopped = true;
    clearInterval(timer);
    await adding;
  };

  const end = (reason: DemoEnd) => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    onEnd(reason);
  };

  const tick = async () => {
    const to = (clock() / microsPerSecond) * microsPerSecond;
    try {
      for (const part of stretches(from, to)) {
        if (stopped) return;
        if (await demo.holdsOthers()) return end({ kind: 'other rows' });
        await demo.add(demoRows({ ...part, random }));
        from = part.to;
      }
    } catch (error) {
      const holdsOthers = await demo.holdsOthers().catch(() => false);
      end(holdsOthers ? { kind: 'other rows' } : { kind: 'failed', error });
    }
  };

  return { stop };
}
