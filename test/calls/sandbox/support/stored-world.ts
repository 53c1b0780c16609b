import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { loadSourceSchemas } from '../../../../src/app/schema/load-schema.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { formatProblem } from '../../../../src/base/errors/problem.ts';
import { LocalPlanner } from '../../../../src/calls/planner/local-planner.ts';
import { type AdHocSql, adHocSql } from '../../../../src/calls/sandbox/ad-hoc-sql.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { loadEndpoints } from '../../../../src/definitions/endpoints/load-endpoints.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { rowRenderer } from '../../../../src/rows/formats/render/row-renderer.ts';
import { receiveRows } from '../../../../src/rows/ingest/receive.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../../src/sql/analyzer/catalog.ts';
import type { PlainResult } from '../../executor/support/result.ts';

/** Endpoints over a store with rows, ready for callers' queries. */
export interface StoredWorld extends AsyncDisposable {
  readonly analyzer: Analyzer;
  readonly catalog: Catalog;
  readonly store: Store;
  readonly engine: DuckDbEngine;
  readonly endpoints: readonly Endpoint[];
  readonly queries: AdHocSql;
  checkPlan(plan: Endpoint['plan']): Promise<void>;
}

export interface StoredWorldOptions {
  /** What the clock of queries shows: microseconds since the epoch. */
  readonly now: () => bigint;
  /** Writes the files of sources and endpoints into the two folders. */
  readonly writeFiles: (folders: { readonly sources: string; readonly endpoints: string }) => Promise<void>;
  /** The rows of a source, as JSON. */
  readonly rowsOf: (source: string) => readonly object[];
}

export async function openStoredWorld({ now, writeFiles, rowsOf }: StoredWorldOptions): Promise<StoredWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'world-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const folders = { sources: path.join(folder, 'sources'), endpoints: path.join(folder, 'endpoints') };
  for (const each of Object.values(folders)) await mkdir(each);
  await writeFiles(folders);
  const config = readConfig({
    DATA_DIR: path.join(folder, 'data'),
    SOURCES_DIR: folders.sources,
    ENDPOINTS_DIR: folders.endpoints,
    RECORD_CALLS: 'false',
  });
  const analyzer = await Analyzer.start();
  opened.defer(() => analyzer.close());
  const sources = await loadSourceSchemas(config);
  const store = await openStore({ dataDir: config.dataDir, sources, memoryLimit: '1GB', threads: 2 });
  opened.defer(() => store.close());
  for (const { name } of sources) await addRows(store, name, rowsOf(name));
  const engine = await DuckDbEngine.open({ store, now });
  opened.defer(() => engine.close());
  const checkPlan = (plan: Endpoint['plan']) => engine.prepare(plan);
  const catalog = sourceCatalog(sources);
  const planner = new LocalPlanner(analyzer);
  const { endpoints, problems } = await loadEndpoints(config.endpointsDir, {
    planText: (text) => planner.planText(text),
    catalog,
    checkPlan,
  });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  const queries = adHocSql({
    planText: (text) => planner.planAdHocQuery(text),
    catalog,
    checkPlan,
  });
  const resources = opened.move();
  return {
    ...{ analyzer, catalog, store, engine, endpoints, queries, checkPlan },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function addRows(store: Store, source: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const body = (async function* () {
    yield Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  })();
  await receiveRows(store, source, body, { skipBadRows: false, signal: new AbortController().signal });
}

/** The rows of an answer, as REST prints them. */
export function printedRows({ columns, rows }: PlainResult): Record<string, unknown>[] {
  return rows.map((row) => JSON.parse(rowRenderer(columns)(row)));
}
