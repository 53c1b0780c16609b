import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSourceSchemas, sourceCatalog } from '../../../src/cli/load-schema.ts';
import { readConfig } from '../../../src/config.ts';
import { loadEndpoints } from '../../../src/endpoints/load-endpoints.ts';
import { DuckDbEngine } from '../../../src/engines/duckdb/duckdb-engine.ts';
import { regexpMistake } from '../../../src/engines/duckdb/functions-in-js/regexp/mistake.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import { receiveRows } from '../../../src/ingest/receive.ts';
import { formatProblem } from '../../../src/problem.ts';
import { resultRenderer } from '../../../src/rest/render/result-renderer.ts';
import { callerQueries } from '../../../src/sandbox/caller-queries.ts';
import { ownQueries } from '../../../src/sandbox/own-query.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';

/** A column as `bq show --schema` prints it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly fields?: readonly SchemaField[];
}

/** A table of rows that LQL can ask, in the way that callers' texts go. */
export interface LqlWorld extends AsyncDisposable {
  /** Rows of the answer, as REST prints them. */
  ask(lql: string): Promise<Record<string, unknown>[]>;
  /** What the clock of queries shows: microseconds since the epoch. */
  now: bigint;
}

const source = 'events';

const endpointFile = `/*
id: 00000000-0000-4000-8000-000000000001
name: ${source}
maxRows: 10000
sandbox: true
*/
WITH ${source} AS (SELECT * FROM logs.${source}) SELECT id FROM ${source}`;

/**
 * An endpoint whose one table, `events`, has these columns behind `id` and `timestamp`.
 *
 * @param rows with the values of the columns, as JSON
 */
export async function openLqlWorld(
  columns: readonly SchemaField[],
  rows: readonly object[],
  now: bigint,
): Promise<LqlWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'lql-'));
  opened.defer(() => rm(folder, { recursive: true }));
  for (const kind of ['sources', 'endpoints']) await mkdir(path.join(folder, kind));
  const schema = [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ...columns,
  ];
  await writeFile(path.join(folder, 'sources', `${source}.json`), JSON.stringify(schema));
  await writeFile(path.join(folder, 'endpoints', `${source}.sql`), endpointFile);
  const config = readConfig({
    DATA_DIR: path.join(folder, 'data'),
    SOURCES_DIR: path.join(folder, 'sources'),
    ENDPOINTS_DIR: path.join(folder, 'endpoints'),
  });
  const analyzer = await Analyzer.start();
  opened.defer(() => analyzer.close());
  const sources = await loadSourceSchemas(config);
  const store = await openStore({ dataDir: config.dataDir, sources, memoryLimit: '1GB', threads: 2 });
  opened.defer(() => store.close());
  const body = (async function* () {
    yield Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  })();
  const signal = new AbortController().signal;
  if (rows.length > 0) await receiveRows(store, source, body, { skipBadRows: false, signal });
  const clock = { now };
  const engine = await DuckDbEngine.open({ store, now: () => clock.now });
  opened.defer(() => engine.close());
  const checkPlan = engine.check.bind(engine);
  const catalog = sourceCatalog(sources);
  const loaded = await loadEndpoints(config.endpointsDir, { analyzer, catalog, checkPlan });
  const [endpoint] = loaded.endpoints;
  if (endpoint === undefined) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  const queries = ownQueries(callerQueries({ analyzer, catalog, checkPlan }), regexpMistake);
  const resources = opened.move();
  return Object.assign(clock, {
    async ask(text: string) {
      const abort = AbortSignal.timeout(20_000);
      const { plan, maxRows } = await queries.plan(endpoint, { language: 'lql', text }, abort);
      const { columns: names, rows: found } = await engine.run({
        plan,
        parameters: new Map(),
        maxRows,
        signal: abort,
      });
      return JSON.parse(resultRenderer(names)(found).toString()).result;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  });
}
