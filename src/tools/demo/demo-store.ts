import { GatewayError } from '../../base/errors/errors.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { MadeUpStore } from '../made-up-rows/making/made-up-store.ts';
import { type DemoRow, type DemoSource, demoSources } from './rows/demo-row.ts';

/** The source whose rows are added last, so that its newest row shows how far the demo is complete. */
const lastSource: DemoSource = 'edge_logs';

/** The store in the demo: adds made-up rows, and finds the newest one. */
export class DemoStore {
  readonly #rows: RowStore;
  readonly #store: MadeUpStore;

  /**
   * @throws GatewayError when a source that the demo has rows for doesn't exist
   */
  constructor(rows: RowStore, sources: readonly Source[]) {
    const files = new Map(sources.map(({ name, file }) => [name, file]));
    this.#rows = rows;
    this.#store = new MadeUpStore(rows, (name) => files.get(name));
    const missing = demoSources.find((name) => !files.has(name));
    if (missing === undefined) return;
    throw new GatewayError(
      'NOT_FOUND',
      `The demo needs the source ${missing}, which SOURCES_DIR does not have. For made-up rows of your own sources, use "dev".`,
    );
  }

  /** Whether the store contains rows that are not the demo's. */
  hasOtherRows(): Promise<boolean> {
    return this.#store.hasOtherRows();
  }

  /** The instant of the newest demo row in microseconds since the epoch. Undefined if there is none. */
  newest(): Promise<bigint | undefined> {
    return this.#rows.newest(lastSource);
  }

  /** Adds rows: see `MadeUpStore`. */
  add(rows: Iterable<DemoRow>, signal?: AbortSignal): Promise<number> {
    return this.#store.add(rows, signal, lastSource);
  }
}
