import { type RowTicker, startRowTicker, type TickerEnd } from '../made-up-rows/making/row-ticker.ts';
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
  readonly onEnd: (reason: TickerEnd) => void;
}

/** Adds, each second, the demo's rows of the past seconds. After a long pause, it catches up like a filling. */
export function startDemoTicker(
  demo: DemoStore,
  { from, clock, random, onEnd }: DemoTickerOptions,
): RowTicker {
  return startRowTicker({
    ...{ from, clock, onEnd },
    partsOf: stretches,
    hasOtherRows: () => demo.hasOtherRows(),
    add: (part) => demo.add(demoRows({ ...part, random })),
  });
}
