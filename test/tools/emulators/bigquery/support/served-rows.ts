import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../../../src/base/system/clock.ts';
import { loadSources } from '../../../../../src/definitions/sources/load-sources.ts';
import { DuckDbEngine } from '../../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../../src/engines/duckdb/store/store.ts';
import { receiveRows } from '../../../../../src/rows/ingest/receive.ts';
import { Analyzer } from '../../../../../src/sql/analyzer/analyzer.ts';
import {
  type BigQueryServer,
  type BigQueryServerOptions,
  startBigQueryServer,
} from '../../../../../src/tools/emulators/bigquery/start-server.ts';
import {
  type TableReference,
  tablesOfSources,
} from '../../../../../src/tools/emulators/bigquery/tables/served-table.ts';

/** A column as `bq show --schema` prints it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly description?: string;
  readonly fields?: readonly SchemaField[];
}

/** What a source holds; `id` and `timestamp` come before the columns. */
export interface ServedSource {
  readonly columns: readonly SchemaField[];
  /** As NDJSON has them. */
  readonly rows: readonly object[];
  readonly wildcard?: 'DAY';
  readonly partitioned?: 'DAY';
}

export interface ServedRows extends AsyncDisposable {
  readonly server: BigQueryServer;
  readonly store: Store;
  readonly analyzer: Analyzer;
  /** The embedded engine over the same rows, to compare with. */
  readonly engine: DuckDbEngine;
  readonly sourcesDir: string;
  /** Another server over the same rows. */
  start(options?: Options): Promise<BigQueryServer>;
}

type Options = Partial<Omit<BigQueryServerOptions, 'analyzer' | 'tables' | 'rowCount'>> & {
  /** Tables that are elsewhere or called otherwise, by source. */
  readonly elsewhere?: ReadonlyMap<string, TableReference>;
};

/** Where the tables are, unless they are elsewhere. */
export const dataset = { projectId: 'test-project', datasetId: 'logs_eu' } as const;

const keyColumns = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
];

/** What queries see as the present: 2026-11-20 06:00:00 UTC. */
export const present = BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n;

/** A BigQuery server over rows in an embedded store of their own. */
export async function serveRows(
  sources: Readonly<Record<string, ServedSource>>,
  options: Options = {},
): Promise<ServedRows> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'bigquery-server-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const sourcesDir = path.join(folder, 'sources');
  await mkdir(sourcesDir);
  for (const [name, { columns, rows: _, ...settings }] of Object.entries(sources)) {
    const fields = [...keyColumns, ...columns];
    const schema = Object.keys(settings).length === 0 ? fields : { ...settings, fields };
    await writeFile(path.join(sourcesDir, `${name}.json`), JSON.stringify(schema));
  }
  const loaded = await loadSources(sourcesDir);
  if (loaded.problems.length > 0) throw new Error(JSON.stringify(loaded.problems));
  const store = await openStore({
    dataDir: path.join(folder, 'data'),
    sources: loaded.sources,
    memoryLimit: '1GB',
    threads: 2,
  });
  opened.defer(() => store.close());
  for (const [name, { rows }] of Object.entries(sources)) {
    const { signal } = new AbortController();
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    if (rows.length > 0) await receiveRows(store, name, bytes(text), { skipBadRows: false, signal });
  }
  const analyzer = await Analyzer.start();
  opened.defer(() => analyzer.close());
  const engine = await DuckDbEngine.open({ store, now: () => present });
  opened.defer(() => engine.close());
  const servers = opened.use(new AsyncDisposableStack());
  let ids = 0;
  const start = async ({ elsewhere, ...more }: Options = {}) => {
    const server = await startBigQueryServer({
      analyzer,
      engine,
      tables: tablesOfSources(loaded.sources, dataset, elsewhere),
      rowCount: async (source) => (await store.rowCounts()).get(source) ?? 0,
      addRows: async (source, text) => {
        const { signal } = new AbortController();
        await receiveRows(store, source, bytes(text), { skipBadRows: false, signal });
      },
      clock: systemClock,
      newId: () => `made_${++ids}`,
      // At BigQuery it is on; here each test's query would depend on those of the others.
      queryCache: false,
      ...more,
    });
    servers.defer(() => server.close());
    return server;
  };
  const server = await start(options);
  const resources = opened.move();
  return {
    server,
    store,
    analyzer,
    engine,
    sourcesDir,
    start,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
