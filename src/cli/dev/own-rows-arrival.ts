import { setTimeout as sleep } from 'node:timers/promises';

interface OwnRowsLook {
  /** Differs when the store has changed: see `storeState`. */
  readonly state: () => Promise<string>;
  /** Whether there are own rows. Rejects while another process has the store. */
  readonly hasOwnRows: () => Promise<boolean>;
  /** Time between two looks, in milliseconds. */
  readonly intervalMs: number;
}

/** Resolves to true when the store has got own rows, such as those of `import`; to false when the signal is aborted. */
export async function ownRowsArrival(look: OwnRowsLook, signal: AbortSignal): Promise<boolean> {
  let known = await look.state();
  for (;;) {
    await sleep(look.intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const before = await look.state();
    if (before === known) continue;
    try {
      if (await look.hasOwnRows()) return true;
      // Opening the store may have changed its files.
      known = await look.state();
    } catch {
      // An import has the store, or its sources have errors for now.
    }
  }
}
