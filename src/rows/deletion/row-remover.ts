import { handedOver } from '../../base/async/handed-over.ts';
import { unknownSource } from '../../definitions/sources/source.ts';
import type { DuckDbEngine } from '../../engines/duckdb/run/duckdb-engine.ts';
import type { Store } from '../../engines/duckdb/store/store.ts';
import type { RowKey } from '../../engines/duckdb/store/upkeep/deletions.ts';
import type { StreamEnd } from '../../engines/engine/engine.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import { rowsOfColumns } from '../../sql/columns/rows-of-columns.ts';
import type { Plan } from '../../sql/plan/plan.ts';

/** Rows of a source: those before a time in microseconds since the epoch, or those whose keys a plan gives. */
export type RemovedRows = { readonly before: bigint } | { readonly plan: Plan };

/** Removes rows from the store, in whichever process it is open. */
export interface RowRemover {
  /**
   * Removes rows of a source, or counts them if it is a dry run.
   *
   * @returns how many
   * @throws GatewayError NOT_FOUND for an unknown source, and as queries fail
   */
  remove(source: string, rows: RemovedRows, isDryRun: boolean, signal: AbortSignal): Promise<number>;
}

/** No query has as many rows. */
const allRows = Number.MAX_SAFE_INTEGER - 1;

/** The remover of a store that is open in this process. */
export function storeRemover(
  store: Pick<Store, 'sources' | 'deleteRows' | 'countBefore'>,
  engine: Pick<DuckDbEngine, 'stream'>,
): RowRemover {
  return {
    async remove(name, rows, isDryRun, signal) {
      const source = store.sources.find((candidate) => candidate.name === name);
      if (source === undefined) throw unknownSource(name);
      if ('before' in rows) {
        if (isDryRun) return store.countBefore(source, rows.before);
        return store.deleteRows(source, rows, signal);
      }
      const keys = keysOf(engine, rows.plan, signal);
      if (!isDryRun) return store.deleteRows(source, { keys }, signal);
      let count = 0;
      for await (const some of keys) count += some.length;
      return count;
    },
  };
}

async function* keysOf(
  engine: Pick<DuckDbEngine, 'stream'>,
  plan: Plan,
  signal: AbortSignal,
): AsyncGenerator<readonly RowKey[]> {
  const batches = handedOver<ColumnBatch, StreamEnd>(
    (take, left) =>
      engine.stream(
        { plan, parameters: new Map(), maxRows: allRows, signal: AbortSignal.any([signal, left]) },
        take,
      ),
    () => undefined,
  );
  for await (const batch of batches) yield [...rowsOfColumns(plan.columns, batch)].map(keyOf);
}

function keyOf([id, timestamp]: readonly unknown[]): RowKey {
  if (typeof id === 'string' && typeof timestamp === 'bigint') return { id, timestamp };
  throw new TypeError('a row has no key');
}
