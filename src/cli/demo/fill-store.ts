import type { Output } from '../../app/output.ts';
import { DemoStore } from '../../demo/demo-store.ts';
import { type FilledDemo, fillDemo } from '../../demo/fill-demo.ts';
import type { RowStore } from '../../ingest/row-store.ts';
import type { Source } from '../../sources/source.ts';
import { collectGarbage } from '../../system/collect-garbage.ts';
import { progressOn, type Terminal } from '../progress.ts';

/** Microseconds since the epoch. */
export const wallClock = () => BigInt(Date.now()) * 1000n;

/** Where the filling is shown. */
export type DemoOutput = Output & { readonly terminal: Terminal };

/** A store that has been filled with made-up rows. */
export interface FilledStore extends FilledDemo {
  readonly store: DemoStore;
}

/**
 * Fills a store with made-up rows up to the present minute, and shows how far it is.
 *
 * @throws GatewayError `FORBIDDEN` when it holds other rows; and the signal's reason
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
    // Hundreds of megabytes that rows were made of, with which the server would begin.
    if (filled.added > 0) collectGarbage();
    out(`Added ${filled.added.toLocaleString('en')} made-up log rows to ${dataDir}\n`);
    return { ...filled, store };
  } finally {
    progress.stop();
  }
}
