import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import { rowsOf } from '../../../src/rows/ingest/row-store.ts';
import { demoRows } from '../../../src/tools/demo/demo-rows.ts';
import { DemoStore } from '../../../src/tools/demo/demo-store.ts';
import type { Workspace } from './workspace.ts';

/** The minutes of rows that there are, up to now. */
const minutes = 10n;
const microsPerMinute = 60_000_000n;

/**
 * Leaves a store as a demo does that has run for some minutes. One that is started on it goes on from there, and
 * needn't make up days of rows first.
 */
export async function beginDemo(workspace: Workspace): Promise<void> {
  const { DATA_DIR: dataDir = '', SOURCES_DIR: sourcesDir = '' } = workspace.environment;
  const { sources } = await loadSources(sourcesDir);
  const store = await openStore({ dataDir, sources, memoryLimit: '500MB', threads: 1 });
  try {
    const to = BigInt(Date.now()) * 1000n;
    const from = to - minutes * microsPerMinute;
    const demo = new DemoStore(rowsOf(store), sources);
    await demo.add(demoRows({ from, to, rowsPerSecond: 8, random: Math.random }));
  } finally {
    await store.close();
  }
}
