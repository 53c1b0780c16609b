import type { Source } from '../../../definitions/sources/source.ts';
import type { SourcePlan } from '../../../engines/duckdb/store/source-plan.ts';
import type { StoreState } from '../../../engines/duckdb/store/store-state.ts';
import type { Engine } from '../../../engines/engine/engine.ts';
import type { RowChanges } from '../../../engines/engine/row-changes.ts';
import type { RowRemover } from '../../../rows/deletion/row-remover.ts';
import type { RowStore } from '../../../rows/ingest/row-store.ts';
import type { EngineProcessState } from '../../../server/observability/metrics/engine-metrics.ts';
import type { HealthDetails } from '../../../server/operator/monitoring.ts';

/** An open engine, and access to its rows. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** Takes the rows of uploads and the events of collectors. Engines whose rows are elsewhere refuse uploads. */
  readonly rows: Pick<RowStore, 'receive' | 'addEvents'>;
  /** The rows of the embedded engine. Absent for engines whose rows are elsewhere. */
  readonly store?: RowStore & RowRemover;
  /** Tells of changes of the store's rows. Absent for engines that can't tell. */
  readonly changes?: RowChanges;
  /** Gives the engine other sources: see `Store.useSources`. */
  useSources(sources: readonly Source[], drop?: readonly string[]): Promise<void>;
  /** What that would do: see `Store.planSources`. Absent for engines whose rows are elsewhere. */
  planSources?(sources: readonly Source[], drop?: readonly string[]): Promise<readonly SourcePlan[]>;
  /** Publishes the gateway's address and the import token to other programs on this machine. */
  announce?(address: { readonly url: string; readonly token: string }): Promise<AsyncDisposable>;
  /** Details for `/readyz`. */
  health?(): HealthDetails;
  /** Whether it can answer now. If absent, it always can. */
  isReady?(): boolean;
  /** The state of its store, if it has one and as far as it is known. */
  storeState?(): StoreState | undefined;
  /** The state of its process, if it has one. */
  process?(): EngineProcessState;
  /** Closes the engine and everything opened with it. */
  close(): Promise<void>;
}
