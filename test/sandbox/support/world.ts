import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSourceSchemas, sourceCatalog } from '../../../src/cli/load-schema.ts';
import { readConfig } from '../../../src/config.ts';
import type { Endpoint } from '../../../src/endpoints/endpoint.ts';
import { loadEndpoints } from '../../../src/endpoints/load-endpoints.ts';
import { DuckDbEngine } from '../../../src/engines/duckdb/duckdb-engine.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import type { EngineResult } from '../../../src/engines/engine.ts';
import { receiveRows } from '../../../src/ingest/receive.ts';
import { formatProblem } from '../../../src/problem.ts';
import { resultRenderer } from '../../../src/rest/render/result-renderer.ts';
import { type CallerQueries, callerQueries } from '../../../src/sandbox/caller-queries.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import type { Value } from '../../../src/sql/value.ts';
import { storedQueries } from './stored-queries.ts';

/** The project whose rows a caller may see. */
export const ownProject = 'aaaabbbbccccddddeeee';
const otherProject = 'ffffgggghhhhiiiijjjj';

/** Stands in every text of a row that no caller of {@link ownProject} may see. */
export const marker = 'S3CRET';

/** A source that no stored query reads. */
const unreadSource = 'billing_records';

/** What the clock of queries shows. */
const now = BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n;

export type Values = Readonly<Record<string, Value>>;

/** Stored queries over a small store, and callers' queries over them. */
export interface World extends AsyncDisposable {
  readonly analyzer: Analyzer;
  readonly catalog: Catalog;
  readonly store: Store;
  readonly queries: CallerQueries;
  checkPlan(plan: Endpoint['plan']): void;
  endpoint(name: string): Endpoint;
  /** What a caller of {@link ownProject} is answered, as an executor does it. */
  ask(sql: string, options?: AskOptions): Promise<EngineResult>;
  /** The rows of such an answer, as REST prints them. */
  rows(sql: string, options?: AskOptions): Promise<Record<string, unknown>[]>;
}

export interface AskOptions {
  readonly endpoint?: string;
  readonly values?: Values;
  readonly signal?: AbortSignal;
}

export async function openWorld(): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
  opened.defer(() => rm(folder, { recursive: true }));
  await writeFiles(folder);
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
  for (const { name } of sources) await addRows(store, name);
  const engine = await DuckDbEngine.open({ store, now: () => now });
  opened.defer(() => engine.close());
  const checkPlan = (plan: Endpoint['plan']) => engine.check(plan);
  const catalog = sourceCatalog(sources);
  const { endpoints, problems } = await loadEndpoints(config.endpointsDir, { analyzer, catalog, checkPlan });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  const queries = callerQueries({ analyzer, catalog, checkPlan });
  const endpointOf = (name: string) => {
    const endpoint = endpoints.find((candidate) => candidate.name === name);
    if (endpoint === undefined) throw new Error(`No endpoint ${name}`);
    return endpoint;
  };
  const ask: World['ask'] = async (sql, options = {}) => {
    const { values = {}, signal = AbortSignal.timeout(20_000) } = options;
    const endpoint = endpointOf(options.endpoint ?? 'logs.all');
    const { plan } = await queries.plan(endpoint, sql, signal);
    const given: Values = { project: ownProject, interval: 'daily', ...values };
    const parameters = new Map(endpoint.parameters.map(({ name }) => [name, given[name] ?? null]));
    return engine.run({ plan, parameters, maxRows: endpoint.maxRows, signal });
  };
  const resources = opened.move();
  return {
    analyzer,
    catalog,
    store,
    queries,
    checkPlan,
    endpoint: endpointOf,
    ask,
    async rows(sql, options) {
      const { columns, rows } = await ask(sql, options);
      return JSON.parse(resultRenderer(columns)(rows).toString()).result;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function writeFiles(folder: string): Promise<void> {
  for (const kind of ['sources', 'endpoints']) {
    await mkdir(path.join(folder, kind));
    for (const name of await readdir(path.join('schema', kind))) {
      await copyFile(path.join('schema', kind, name), path.join(folder, kind, name));
    }
  }
  const columns = ['id STRING REQUIRED', 'timestamp TIMESTAMP REQUIRED', 'project STRING', 'amount STRING'];
  const schema = columns.map((column) => {
    const [name, type, mode = 'NULLABLE'] = column.split(' ');
    return { name, type, mode };
  });
  await writeFile(path.join(folder, 'sources', `${unreadSource}.json`), JSON.stringify(schema));
  for (const [name, text] of Object.entries(storedQueries)) {
    await writeFile(path.join(folder, 'endpoints', `${name}.sql`), text);
  }
}

/** Sources whose rows name their project in their records. */
const projectFields: Readonly<Record<string, string>> = {
  function_edge_logs: 'project_ref',
  function_logs: 'project_ref',
  realtime_logs: 'project',
  storage_logs: 'project',
};

async function addRows(store: Store, source: string): Promise<void> {
  const rows = [0, 1, 2, 3, 4, 5].map((index) => {
    const isOwn = index % 2 === 0 && source !== unreadSource;
    const project = isOwn ? ownProject : otherProject;
    const text = isOwn ? `own ${index}` : `${marker} ${index}`;
    const common = { id: `${text} of ${source}`, timestamp: `2026-11-20T0${index}:00:00Z` };
    if (source === unreadSource) return { ...common, project: ownProject, amount: text };
    const field = projectFields[source];
    const record = field === undefined ? records(source, text, index) : { [field]: project };
    return {
      ...common,
      event_message: `${text} message`,
      metadata: [record],
      ...(field === undefined && { project }),
    };
  });
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  await receiveRows(store, source, body, { skipBadRows: false, signal: new AbortController().signal });
}

function records(source: string, text: string, index: number): object {
  if (source !== 'edge_logs') return {};
  const request = {
    method: index === 0 ? 'GET' : 'POST',
    path: `/rest/v1/${text}`,
    url: `https://${ownProject}.example.co/rest/v1/${text}`,
    headers: [{ user_agent: text }],
  };
  return { request: [request], response: [{ status_code: 200 + index * 100 }] };
}
