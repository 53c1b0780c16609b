import type { Engine } from '../../engines/engine.ts';
import type { RowStore } from '../../ingest/row-store.ts';
import type { EngineProcessFacts } from '../../observability/metrics/engine-process.ts';
import type { HealthDetails } from '../../server/health.ts';

/** An engine that queries can run on, and how rows get into it. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** The rows that the embedded engine reads; other engines keep theirs elsewhere. */
  readonly rows?: RowStore;
  /** Tells other programs on this machine where the gateway listens and by which key it takes rows. */
  announce?(address: { readonly url: string; readonly token: string }): Promise<AsyncDisposable>;
  /** What is known of it, for `/readyz`. */
  health?(): HealthDetails;
  /** Whether it can answer at the moment. Left out, it always can. */
  isReady?(): boolean;
  /** What is known of the process that it runs in, where it has one of its own. */
  process?(): EngineProcessFacts;
  /** Ends the engine and everything that it was opened with. */
  close(): Promise<void>;
}
