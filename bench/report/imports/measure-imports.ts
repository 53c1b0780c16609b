import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from '../../measure.ts';
import { collect } from '../../parts/collect.ts';
import type { CollectorReport } from '../../parts/collector-order.ts';
import { countLines, runImport } from '../../parts/import-rows.ts';
import { timeOfReadJson } from '../../parts/read-json.ts';
import { about, proveIs } from '../../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../../started-gateway.ts';
import { importFile } from '../../store/import-file.ts';
import { edgeLogs } from '../../store/shipped-sources.ts';
import { storedIds } from '../../store/stored-ids.ts';
import { rounded } from '../spread.ts';
import { type ImportsData, type ImportWay, importWays } from './imports-data.ts';

export interface ImportsOptions extends Pick<GatewayCommand, 'packageDir' | 'environment'> {
  /** The folder for temporary files. */
  readonly folder: string;
  readonly rows: number;
  readonly rounds: number;
  /** How long collectors send in each round, in seconds. */
  readonly seconds: number;
  readonly now: () => bigint;
  readonly print: (text: string) => void;
  readonly collectors?: number;
  /** The import command; the gateway's own by default. */
  readonly importCommand?: readonly [string, ...string[]];
}

const rowsPerRequest = 50;
const sampleRows = 5_000;

/**
 * Measures how fast rows get into a new table: by DuckDB's own `read_json`, by imports of NDJSON and Parquet with the
 * same rows, and by collectors that post rows, in turn. Proves that each store then has every row once.
 *
 * @throws MeasurementError
 */
export async function measureImports(options: ImportsOptions): Promise<ImportsData> {
  const { rows, rounds, seconds, print, collectors = 100 } = options;
  const folder = await mkdtemp(join(options.folder, 'imports-'));
  const file = (name: string) => join(folder, name);
  try {
    const now = options.now();
    await importFile(file('rows.ndjson'), { rows, now });
    await importFile(file('rows.parquet'), { rows, now, format: 'parquet' });
    await importFile(file('sample.ndjson'), { rows: sampleRows, now });
    proveIs(await countLines(file('rows.ndjson')), rows, 'lines of the file');
    const source = await edgeLogs();
    const speeds = new Map(importWays.map((way) => [way, [] as number[]]));
    const add = (way: ImportWay, count: number, milliseconds: number) => {
      const perSecond = rounded((count / milliseconds) * 1000);
      speeds.get(way)?.push(perSecond);
      print(`  ${way}: ${Math.round(perSecond)} rows/s`);
    };
    const peaks: number[] = [];
    const reports: CollectorReport[] = [];
    for (let round = 0; round < rounds; round += 1) {
      add('read_json', rows, await timeOfReadJson(file('rows.ndjson'), source, file('plain.duckdb')));
      for (const way of ['ndjson', 'parquet'] as const) {
        const { milliseconds, peak } = await about(way, () =>
          timeOfImport(file(`rows.${way}`), file('store'), options),
        );
        add(way, rows, milliseconds);
        if (way === 'ndjson' && peak !== undefined) peaks.push(peak * 1e6);
      }
      const order = { file: file('sample.ndjson'), collectors, rowsPerRequest, seconds };
      const report = await about('collectors', () => collectedBy(order, file('store'), options));
      add('collectors', report.acknowledgedRows, report.milliseconds);
      reports.push(report);
    }
    const at = (part: number) => reports.map(({ times }) => rounded(quantile(times, part)));
    return {
      ...{ rows, collectors, rowsPerRequest, seconds },
      bytes: (await stat(file('rows.ndjson'))).size,
      ways: importWays.map((way) => ({ way, rowsPerSecond: speeds.get(way) ?? [] })),
      peakBytes: peaks.length === 0 ? null : Math.max(...peaks),
      acknowledgedP50: at(0.5),
      acknowledgedP99: at(0.99),
      refusals: reports.reduce((sum, { refusals }) => sum + refusals, 0),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeOfImport(
  file: string,
  dataDir: string,
  { packageDir, environment, rows, importCommand }: ImportsOptions,
): Promise<{ readonly milliseconds: number; readonly peak: number | undefined }> {
  try {
    const began = performance.now();
    const command = importCommand === undefined ? {} : { command: importCommand };
    const peak = await runImport(file, dataDir, { packageDir, environment, ...command });
    const milliseconds = performance.now() - began;
    const stored = await storedIds(dataDir);
    proveIs(stored.rows, rows, 'rows in the store');
    proveIs(stored.ids, rows, 'ids in the store');
    return { milliseconds, peak };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Lets collectors send to a new store, as fast as their batches are acknowledged. */
async function collectedBy(
  order: {
    readonly file: string;
    readonly collectors: number;
    readonly rowsPerRequest: number;
    readonly seconds: number;
  },
  dataDir: string,
  { packageDir, environment }: ImportsOptions,
): Promise<CollectorReport> {
  try {
    const command = { packageDir, environment: { ...environment, SHUTDOWN_DELAY_MS: '0' } };
    await using gateway = await startGateway({ ...command, dataDir });
    const report = await collect({ ...order, port: gateway.port, key: benchKey, prefix: 'sent', everyMs: 0 });
    const ended = once(gateway.process, 'exit');
    gateway.process.kill('SIGTERM');
    await ended;
    const stored = await storedIds(dataDir, 'sent-');
    proveIs(stored.rows, report.acknowledgedRows, 'rows in the store');
    proveIs(stored.ids, report.acknowledgedRows, 'ids in the store');
    return report;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
