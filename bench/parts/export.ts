import { createWriteStream, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import * as parquet from 'parquet-wasm';
import { readConfig } from '../../src/app/engines/registry.ts';
import { loadSchema, loadSourceSchemas } from '../../src/app/schema/load-schema.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { plainLog } from '../../src/base/terminal/log.ts';
import { PlannerThread } from '../../src/calls/planner/planner-thread.ts';
import { installMacros } from '../../src/engines/duckdb/macros/install.ts';
import { DuckDbEngine } from '../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../src/engines/duckdb/store/open-store.ts';
import { analyzerSettings } from '../../src/sql/analyzer/settings.ts';
import { type Finding, formatMs } from '../finding.ts';
import { median } from '../measure.ts';
import { prove, proveIs, proveSame } from '../proof.ts';
import { benchKey, startGateway } from '../started-gateway.ts';
import { storeFile } from '../store/bench-store.ts';

export interface ExportOptions {
  readonly dataDir: string;
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly rows?: number;
  readonly runs?: number;
}

const maxTimes = 3;
const maxGrownBytes = 64e6;

/** The formats, each with DuckDB's own that is most like it, and the columns as DuckDB's statement gives them. */
const formats = [
  { name: 'csv', like: 'csv', at: 'epoch_us(CAST(timestamp AS TIMESTAMP))' },
  { name: 'ndjson', like: 'json', at: 'CAST(timestamp AS BIGINT)' },
  { name: 'parquet', like: 'parquet', at: 'epoch_us(timestamp)' },
  { name: 'arrow', like: 'parquet', at: 'epoch_us(timestamp)' },
] as const;

type FormatName = (typeof formats)[number]['name'];

const endpoint = (rows: number) => `/*
id: 3f0c1f4e-6a0b-4a57-8d0e-5b8f6f4f2a11
name: export
exportRows: ${rows}
*/
SELECT id, timestamp, event_message, LENGTH(event_message) AS length, r.path, p.status_code AS status
FROM logs.edge_logs CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.request) AS r CROSS JOIN UNNEST(m.response) AS p`;

/**
 * Measures exports of rows of six columns against DuckDB's `COPY ... TO` of the same query, which is the SQL that the
 * engine emits for the endpoint, over a copy of the store with the same number of threads. Both run alternately. Measures
 * how much the memory of the server and of its engine grows. Proves that each export has all rows, and the values of
 * DuckDB's own.
 *
 * @throws MeasurementError
 */
export async function measureExport(options: ExportOptions): Promise<Finding[]> {
  const { rows = 1_000_000, runs = 5, dataDir } = options;
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const copiedStore = join(folder, 'store');
  await cp(dataDir, copiedStore, { recursive: true });
  const endpointsDir = join(folder, 'endpoints');
  await mkdir(endpointsDir);
  await writeFile(join(endpointsDir, 'export.sql'), endpoint(rows));
  const places = { DATA_DIR: copiedStore, ENDPOINTS_DIR: endpointsDir };
  const sql = await emittedSql(places, rows);

  const threads = String(readConfig(places).duckdbThreads);
  const instance = await DuckDBInstance.create(storeFile(copiedStore), { threads });
  cleanup.defer(() => instance.closeSync());
  const connection = await instance.connect();
  cleanup.defer(() => connection.closeSync());
  await installMacros(connection, {});
  const environment = { ...options.environment, ENDPOINTS_DIR: endpointsDir };
  const gateway = cleanup.use(await startGateway({ ...options, environment }));

  const file = (format: string) => join(folder, `rows.${format}`);
  const exported = (name: FormatName) => timed(() => download(gateway.port, name, file(name)));
  // The extra row that the engine reads shows whether there are more.
  const wanted = `FROM (${sql}) AS t(id, timestamp, event_message, length, path, status) LIMIT ${rows}`;
  const copied = (like: string) =>
    timed(() => connection.run(`COPY (${wanted}) TO '${file(`copy.${like}`)}' (FORMAT ${like})`));

  // The first export of a format loads its library.
  for (const { name } of formats) await exported(name);
  await writeFile(file('arrow.parquet'), parquetOfArrow(await readFile(file('arrow'))));
  const digest = async (from: string, at: string) => {
    const digested = `hash(id, ${at}, event_message, length, path, status)`;
    const reader = await connection.runAndReadAll(`SELECT COUNT(*), SUM(${digested}) FROM ${from}`);
    return reader.getRowsJson()[0] ?? [];
  };
  const own = await digest(`(${wanted})`, 'epoch_us(timestamp)');
  proveIs(String(own[0]), String(rows), "rows of DuckDB's own");
  for (const { name, at } of formats)
    proveSame(await digest(readSql(name, file), at), own, `the export as ${name} has other values`);

  const findings: Finding[] = [];
  for (const { name, like } of formats) {
    const times: number[] = [];
    const copies: number[] = [];
    await copied(like);
    const processes = [gateway.process.pid ?? 0, ...(await childrenOf(gateway.process.pid ?? 0))];
    const memory = watchMemory(processes);
    for (let run = 0; run < runs; run++) {
      times.push(await exported(name));
      copies.push(await copied(like));
    }
    const [grown = Number.NaN, ...others] = memory.end();
    const ratio = median(times) / median(copies);
    findings.push(
      {
        part: 'export',
        what: `${name}: time`,
        detail: `${formatMs(median(times))}, COPY to ${like} ${formatMs(median(copies))}`,
        result: `${ratio.toFixed(1)} times`,
        target: `${maxTimes} times`,
        isMet: ratio <= maxTimes,
      },
      {
        part: 'export',
        what: `${name}: the server's memory`,
        detail: `at most, in ${runs} exports; its processes ${others.map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`).join(', ')}`,
        result: `${(grown / 1e6).toFixed(0)} MB more`,
        target: `${maxGrownBytes / 1e6} MB`,
        isMet: grown <= maxGrownBytes,
      },
    );
  }
  return findings;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The SQL that the engine emits for the endpoint. */
async function emittedSql(places: Readonly<Record<string, string>>, maxRows: number): Promise<string> {
  const config = readConfig(places);
  await using opened = new AsyncDisposableStack();
  const settings = analyzerSettings(config);
  const planner = new PlannerThread({ settings, clock: systemClock, log: plainLog(console.error) });
  opened.defer(() => planner.close());
  const sources = await loadSourceSchemas(config);
  const store = await openStore({
    ...{ dataDir: config.dataDir, sources },
    ...{ memoryLimit: config.duckdbMemoryLimit, threads: config.duckdbThreads },
  });
  opened.defer(() => store.close());
  const engine = await DuckDbEngine.open({ store, now: () => BigInt(Date.now()) * 1000n });
  opened.defer(() => engine.close());
  const { endpoints } = await loadSchema(config, planner, sources, (plan) => engine.prepare(plan));
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  const { signal } = new AbortController();
  const [sql, ...others] = await engine.sqlOf({
    plan: endpoint.plan,
    parameters: new Map(),
    maxRows,
    signal,
  });
  prove(sql !== undefined && others.length === 0, 'the export is not one statement');
  return sql;
}

/** Texts could look like values of other types. */
const jsonTypes =
  "id: 'VARCHAR', timestamp: 'BIGINT', event_message: 'VARCHAR', length: 'BIGINT', path: 'VARCHAR', status: 'BIGINT'";

/** How DuckDB reads an export. */
function readSql(name: FormatName, file: (format: string) => string): string {
  switch (name) {
    case 'csv':
      return `read_csv('${file('csv')}', header = true, types = {'timestamp': 'VARCHAR'})`;
    case 'ndjson':
      return `read_json('${file('ndjson')}', format = 'newline_delimited', columns = {${jsonTypes}})`;
    case 'parquet':
      return `read_parquet('${file('parquet')}')`;
    case 'arrow':
      return `read_parquet('${file('arrow.parquet')}')`;
  }
}

/** DuckDB doesn't read Arrow's stream by itself. */
function parquetOfArrow(stream: Uint8Array): Uint8Array {
  return parquet.writeParquet(parquet.Table.fromIPCStream(stream));
}

async function download(port: number, format: string, file: string): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/api/endpoints/query/export?format=${format}`;
    get({ host: '127.0.0.1', port, path, headers: { 'X-API-KEY': benchKey } }, resolve).on('error', reject);
  });
  proveIs(response.statusCode, 200, `the status of an export as ${format}`);
  await pipeline(response, createWriteStream(file));
  prove(response.complete, `the export as ${format} was cut off`);
}

/** How much the resident memory of processes grows at most, in bytes, looked at every few milliseconds. */
function watchMemory(pids: readonly number[]): { end(): readonly number[] } {
  const before = pids.map(residentBytes);
  const most = [...before];
  const timer = setInterval(() => {
    for (const [index, pid] of pids.entries()) most[index] = Math.max(most[index] ?? 0, residentBytes(pid));
  }, 20);
  return {
    end() {
      clearInterval(timer);
      return most.map((bytes, index) => bytes - (before[index] ?? 0));
    },
  };
}

/** The resident memory of a process, where the system tells it in `/proc`. */
function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
