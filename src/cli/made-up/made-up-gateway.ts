import { randomUUID } from 'node:crypto';
import { duckDb } from '../../app/engines/duckdb/definition.ts';
import { openEngineProcess } from '../../app/engines/duckdb/open-engine-process.ts';
import type { RowsElsewhere } from '../../app/engines/engine/engine-definition.ts';
import { engineOf } from '../../app/engines/registry.ts';
import { launchGateway } from '../../app/gateway/launch-gateway.ts';
import type { GatewayHooks, RunningGateway } from '../../app/gateway/run-gateway.ts';
import { loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { CommandError } from '../../base/errors/command-error.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { declaredSources } from '../../definitions/sources/own-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { startBigQueryServer } from '../../tools/emulators/bigquery/start-server.ts';
import { tablesOfSources } from '../../tools/emulators/bigquery/tables/served-table.ts';
import type { RowSchema } from '../../tools/made-up-rows/from-schema/schema-filler.ts';
import type { RowTicker, TickerEnd } from '../../tools/made-up-rows/making/row-ticker.ts';

/** Where the emulator of BigQuery has the made-up rows. */
export const emulatedDataset = { projectId: 'demo-project', datasetId: 'logs' } as const;

/** A gateway over made-up rows. */
export interface MadeUpGateway {
  readonly gateway: RunningGateway;
  /** The URL of the BigQuery emulator, if queries run on one. */
  readonly bigquery?: string;
  /** Stops adding rows, and closes everything. */
  close(): Promise<void>;
}

/** Fills a store with rows of declared sources. Rows are added to it from then on by what it returns. */
export type FillStore = (
  rows: RowStore,
  schema: RowSchema & { readonly sources: readonly Source[] },
) => Promise<StartTicker>;

/** @param current the schema, whenever it is called */
export type StartTicker = (current: () => RowSchema, onEnd: (end: TickerEnd) => void) => RowTicker;

interface MadeUpHooks {
  readonly gateway: GatewayHooks;
  readonly fill: FillStore;
  /** Called once if no more rows are added. */
  readonly onEnd: (end: TickerEnd) => void;
}

/**
 * Starts a gateway over a store of made-up rows in `DATA_DIR`, and adds more each second. With `ENGINE=bigquery`, it
 * queries a BigQuery emulator over that store.
 *
 * @throws the errors of `runGateway` and of `fill`; CommandError for other engines
 */
export async function startMadeUpGateway(config: Config, hooks: MadeUpHooks): Promise<MadeUpGateway> {
  const { elsewhere } = engineOf(config);
  if (elsewhere === undefined) return startOnStore(config, hooks);
  if (elsewhere.emulated !== undefined) return startOnBigQuery(elsewhere.emulated, config, hooks);
  throw new CommandError(`With ENGINE=${config.engine}, there are no made-up rows.`);
}

async function startOnStore(config: Config, hooks: MadeUpHooks): Promise<MadeUpGateway> {
  let start: StartTicker | undefined;
  const gateway = await launchGateway(config, {
    ...hooks.gateway,
    prepareRows: async (rows, sources, endpoints) => {
      start = await hooks.fill(rows, { sources: declaredSources(sources), endpoints });
    },
  });
  if (start === undefined) throw new Error('a DuckDB gateway has a store');
  const current = () => {
    const { sources, endpoints } = gateway.current();
    return { sources: declaredSources(sources), endpoints };
  };
  const ticker = start(current, hooks.onEnd);
  return {
    gateway,
    async close() {
      await ticker.stop();
      await gateway.close();
    },
  };
}

async function startOnBigQuery(
  emulated: NonNullable<RowsElsewhere['emulated']>,
  config: Config,
  hooks: MadeUpHooks,
): Promise<MadeUpGateway> {
  await using started = new AsyncDisposableStack();
  const bigquery = await bigQueryOfStore(config, hooks.gateway);
  started.defer(() => bigquery.close());
  const { url } = bigquery;
  const gateway = await launchGateway(emulated(config, { url, ...emulatedDataset }), hooks.gateway);
  started.defer(() => gateway.close());
  // The emulator keeps the tables that it was started with.
  const current = () => ({
    sources: declaredSources(bigquery.sources),
    endpoints: gateway.current().endpoints,
  });
  const start = await hooks.fill(bigquery.rows, current());
  const ticker = start(current, hooks.onEnd);
  started.defer(() => ticker.stop());
  const running = started.move();
  return { gateway, bigquery: url, close: () => running.disposeAsync() };
}

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
async function bigQueryOfStore(config: Config, { log }: Pick<GatewayHooks, 'log'>): Promise<BigQueryOfStore> {
  await using started = new AsyncDisposableStack();
  const sources = await loadSourceSchemas({ ...config, engine: duckDb.name });
  const { store: rows, engine, ...opened } = await openEngineProcess(config, sources, { log });
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
