import { randomUUID } from 'node:crypto';
import { duckDb } from '../../app/engines/duckdb/definition.ts';
import { openEngineProcess } from '../../app/engines/duckdb/open-engine-process.ts';
import type { GatewayHooks } from '../../app/gateway/run-gateway.ts';
import { loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { systemClock } from '../../base/clock/clock.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { startBigQueryServer } from '../../tools/emulators/bigquery/start-server.ts';
import { tablesOfSources } from '../../tools/emulators/bigquery/tables/served-table.ts';
import { emulatedDataset } from './emulated-dataset.ts';

/** A BigQuery emulator over the embedded store. */
interface BigQueryOfStore {
  readonly rows: RowStore;
  readonly sources: readonly Source[];
  /** The base URL of its API. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens the store and serves it as BigQuery tables, on a free local port.
 *
 * @throws ProblemsError, StoreError
 */
export async function bigQueryOfStore(
  config: Config,
  { log }: Pick<GatewayHooks, 'log'>,
): Promise<BigQueryOfStore> {
  await using started = new AsyncDisposableStack();
  const sources = await loadSourceSchemas({ ...config, engine: duckDb.name });
  const { rows, engine, ...opened } = await openEngineProcess(config, sources, { log });
  started.defer(() => opened.close());
  const analyzer = await Analyzer.start(analyzerSettings(config));
  started.defer(() => analyzer.close());
  const server = await startBigQueryServer({
    analyzer,
    engine,
    tables: tablesOfSources(sources, emulatedDataset),
    rowCount: async (source) => (await rows.rowCounts()).get(source) ?? 0,
    addRows: async (source, text) => {
      const { signal } = new AbortController();
      // The demo keeps adding its own rows only to a store of demo rows.
      const origin = (await rows.origin()) ?? 'demo';
      await rows.receive(source, oneChunk(text), { skipBadRows: false, origin, signal });
    },
    clock: systemClock,
    newId: randomUUID,
    log,
  });
  started.defer(() => server.close());
  const running = started.move();
  return {
    rows,
    sources,
    url: server.url,
    close: () => running.disposeAsync(),
  };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
