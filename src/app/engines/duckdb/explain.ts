import { systemClock } from '../../../base/system/clock.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { DuckDbEngine, type DuckDbRequest } from '../../../engines/duckdb/run/duckdb-engine.ts';
import { openNoStore } from '../../../engines/duckdb/store/no-store.ts';
import type { Estimate } from '../../../engines/engine/engine.ts';
import { openDuckDb } from '../../engine-process/open-duckdb.ts';
import type { ExplainedCall } from '../engine/engine-definition.ts';
import { duckDbSettings } from './open-engine-process.ts';

/** Makes the SQL without the store, which a server may have open: only the rows are missing. */
export async function sqlWithoutStore(
  request: DuckDbRequest,
  sources: readonly Source[],
): Promise<readonly string[]> {
  const store = { ...(await openNoStore()), sources };
  const engine = await DuckDbEngine.open({ store, now: () => BigInt(systemClock.now()) * 1000n });
  try {
    return await engine.sqlOf(request);
  } finally {
    await engine.close();
    await store.close();
  }
}

/**
 * DuckDB's plans of statements, over the store.
 *
 * @throws StoreError when the store can't be opened, for example because a server is running
 */
export function plansOf(call: ExplainedCall, sql: readonly string[]): Promise<readonly string[]> {
  return overStore(call, async (engine) => {
    const plans: string[] = [];
    for (const statement of sql) plans.push(await engine.planOf(statement, call.request.signal));
    return plans;
  });
}

/**
 * What a call would read of the store.
 *
 * @throws StoreError as `plansOf` does
 */
export function costOf(call: ExplainedCall): Promise<Estimate> {
  return overStore(call, (engine) => engine.estimate(call.request));
}

async function overStore<T>(
  { config, sources, log }: ExplainedCall,
  work: (engine: DuckDbEngine) => Promise<T>,
): Promise<T> {
  const { engine, close } = await openDuckDb(duckDbSettings(config, sources), { log });
  try {
    return await work(engine);
  } finally {
    await close();
  }
}
