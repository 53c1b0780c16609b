import type { Store } from '../../engines/duckdb/store/store.ts';
import type { Engine } from '../../engines/engine.ts';
import type { HealthDetails } from '../../server/health.ts';
import type { ReceiveRows } from '../../server/rows-face.ts';

/** An engine that queries can run on, and how rows get into it. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** The store that the embedded engine reads; other engines keep their rows elsewhere. */
  readonly store?: Store;
  /** What becomes of rows that are sent to the gateway. */
  readonly receiveRows: ReceiveRows;
  /** Tells other programs on this machine where the gateway listens and by which key it takes rows. */
  announce?(address: { readonly url: string; readonly token: string }): Promise<AsyncDisposable>;
  /** What is known of it, for `/readyz`. */
  health?(): HealthDetails;
  /** Whether it is of no use until the gateway is restarted. */
  isLost?(): boolean;
  /** Ends the engine and everything that it was opened with. */
  close(): Promise<void>;
}
