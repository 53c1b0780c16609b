import { demoRows } from './demo-rows.ts';
import type { DemoStore } from './demo-store.ts';
import { stretches } from './pace.ts';

interface DemoTickerOptions {
  /** Where to continue, in microseconds since the epoch: the `until` of the filling. */
  readonly from: bigint;
  /** The current time, in microseconds since the epoch. */
  readonly clock: () => bigint;
  /** Returns numbers from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Called once if the ticker ends without being stopped. */
  readonly onEnd: (reason: DemoEnd) => void;
}

/** Why a ticker ended without being stopped: the store contains other rows, or adding rows failed. */
export type DemoEnd = { readonly kind: 'other rows' } | { readonly kind: 'failed'; readonly error: unknown };

interface DemoTicker {
  /** Resolves when the rows that are being added are committed. Afterwards the store may be closed. */
  stop(): Promise<void>;
}

const microsPerSecond = 1_000_000n;
const intervalMs = 1000;

/**
 * Adds, each second, the made-up rows of the past seconds. After a long pause, such as sleep mode, it catches up like a
 * filling.
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
        if (await demo.hasOtherRows()) return end({ kind: 'other rows' });
        await demo.add(demoRows({ ...part, random }));
        from = part.to;
      }
    } catch (error) {
      const hasOtherRows = await demo.hasOtherRows().catch(() => false);
      end(hasOtherRows ? { kind: 'other rows' } : { kind: 'failed', error });
    }
  };

  return { stop };
}
