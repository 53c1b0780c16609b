import type { Output } from '../../app/output.ts';
import { DemoStore } from '../../demo/demo-store.ts';
import { type FilledDemo, fillDemo } from '../../demo/fill-demo.ts';
import type { RowStore } from '../../ingest/row-store.ts';
import type { Source } from '../../sources/source.ts';
import { collectGarbage } from '../../system/collect-garbage.ts';
import { progressOn, type Terminal } from '../progress.ts';

/** Microseconds since the epoch. */
export const wallClock = () => BigInt(Date.now()) * 1000n;

/** Receives the progress. */
export type DemoOutput = Output & { readonly terminal: Terminal };

/** A store filled with made-up rows. */
export interface FilledStore extends FilledDemo {
  readonly store: DemoStore;
}

/**
 * Fills a store with made-up rows up to the current minute, and shows the progress.
 *
 * @throws GatewayError `FORBIDDEN` when the store contains other rows; the signal's reason when it is aborted
 */
export async function fillStore(
  rows: RowStore,
  sources: readonly Source[],
  dataDir: string,
  { out, terminal }: DemoOutput,
  signal: AbortSignal,
): Promise<FilledStore> {
  const store = new DemoStore(rows, sources);
  const progress = progressOn(terminal, Date.now);
  let begun = false;
  try {
    const filled = await fillDemo(store, {
      now: wallClock(),
      dataDir,
      random: Math.random,
      signal,
      onProgress: (done, all) => {
        if (!begun) progress.start('Making up log rows', all);
        begun = true;
        progress.update(done);
      },
    });
    progress.stop();
    // Frees hundreds of megabytes of garbage from making rows before the server starts.
    if (filled.added > 0) collectGarbage();
    out(`Added ${filled.added.toLocaleString('en')} made-up log rows to ${dataDir}\n`);
    return { ...filled, store };
  } finally {
    progress.stop();
  }
}
