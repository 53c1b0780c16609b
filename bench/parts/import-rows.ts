import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, formatMs } from '../finding.ts';
import { proveIs } from '../proof.ts';
import { importFile } from '../store/import-file.ts';
import { edgeLogs } from '../store/shipped-sources.ts';
import { storedIds } from '../store/stored-ids.ts';
import { timeOfReadJson } from './read-json.ts';

export interface ImportOptions {
  readonly rows: number;
  readonly now: bigint;
  /** The temporary folder of the file and the store. */
  readonly folder: string;
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The import command, to which the source's name and the file are appended; the gateway's own by default. */
  readonly command?: readonly [string, ...string[]];
}

/** The default memory limit of the engine, plus what Node and DuckDB need. */
const maxMegabytes = 2_000 + 250 + 500;
const leastRowsPerSecond = 20_000;
const leastParquetRowsPerSecond = 150_000;
const maxTimesReadJson = 4;
const pollMs = 100;

/**
 * Measures the speed and memory of importing an NDJSON file into an empty store, and the speed of a Parquet file.
 * Proves that the store then has as many rows as the file has lines, with different ids.
 *
 * @throws MeasurementError
 */
export async function measureImport(options: ImportOptions): Promise<Finding[]> {
  const { rows, folder } = options;
  const file = join(folder, `edge-logs-of-${rows}.ndjson`);
  const dataDir = join(folder, 'store-of-import');
  await rm(dataDir, { recursive: true, force: true });
  try {
    await importFile(file, options);
    const { size } = await stat(file);
    const readJsonMs = await timeOfReadJson(file, await edgeLogs(), join(folder, 'read-json.duckdb'));
    const start = performance.now();
    const peak = await runImport(file, dataDir, options);
    const milliseconds = performance.now() - start;
    const lines = await countLines(file);
    proveIs(lines, rows, 'lines of the file');
    const stored = await storedIds(dataDir);
    proveIs(stored.rows, lines, 'rows in the store');
    proveIs(stored.ids, lines, 'ids in the store');
    const rowsPerSecond = Math.round((rows / milliseconds) * 1000);
    const what = `import of ${rows.toLocaleString('en')} rows`;
    return [
      {
        part: 'import',
        what: `${what}: speed`,
        detail: `${formatMs(milliseconds)} for ${Math.round(size / 1e6)} MB; ${stored.rows.toLocaleString('en')} rows in the store`,
        result: `${rowsPerSecond.toLocaleString('en')} rows/s`,
        target: `>= ${leastRowsPerSecond.toLocaleString('en')} rows/s`,
        isMet: rowsPerSecond >= leastRowsPerSecond,
      },
      {
        part: 'import',
        what: `${what}: against DuckDB's read_json`,
        detail: `CREATE TABLE AS takes ${formatMs(readJsonMs)}`,
        result: `x ${(milliseconds / readJsonMs).toFixed(2)}`,
        target: `<= x ${maxTimesReadJson}`,
        isMet: milliseconds <= readJsonMs * maxTimesReadJson,
      },
      {
        part: 'import',
        what: `${what}: memory`,
        detail: 'the most that was resident',
        result: peak === undefined ? 'unknown here' : `${peak} MB`,
        target: `<= ${maxMegabytes} MB`,
        isMet: peak !== undefined && peak <= maxMegabytes,
      },
      await measureParquet(options),
    ];
  } finally {
    await rm(file, { force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The same rows from a Parquet file. Each has a flat form, so that DuckDB reads them by columns. */
async function measureParquet(options: ImportOptions): Promise<Finding> {
  const { rows, folder } = options;
  const file = join(folder, `edge-logs-of-${rows}.parquet`);
  const dataDir = join(folder, 'store-of-parquet');
  await rm(dataDir, { recursive: true, force: true });
  try {
    await importFile(file, { ...options, format: 'parquet' });
    const { size } = await stat(file);
    const start = performance.now();
    await runImport(file, dataDir, options);
    const milliseconds = performance.now() - start;
    const stored = await storedIds(dataDir);
    proveIs(stored.rows, rows, 'rows in the store');
    proveIs(stored.ids, rows, 'ids in the store');
    const rowsPerSecond = Math.round((rows / milliseconds) * 1000);
    return {
      part: 'import',
      what: `import of ${rows.toLocaleString('en')} rows from Parquet: speed`,
      detail: `${formatMs(milliseconds)} for ${Math.round(size / 1e6)} MB; ${stored.rows.toLocaleString('en')} rows in the store`,
      result: `${rowsPerSecond.toLocaleString('en')} rows/s`,
      target: `>= ${leastParquetRowsPerSecond.toLocaleString('en')} rows/s`,
      isMet: rowsPerSecond >= leastParquetRowsPerSecond,
    };
  } finally {
    await rm(file, { force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the peak resident memory in megabytes. Undefined where the system doesn't report it. */
export async function runImport(
  file: string,
  dataDir: string,
  {
    packageDir,
    environment,
    command = [process.execPath, 'src/cli/main.js', 'import'],
  }: Pick<ImportOptions, 'packageDir' | 'environment' | 'command'>,
): Promise<number | undefined> {
  const [program, ...args] = command;
  const importer = spawn(program, [...args, 'edge_logs', file], {
    cwd: packageDir,
    env: { ...environment, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak: number | undefined;
  const poll = setInterval(async () => {
    peak = (await peakMemory(importer.pid)) ?? peak;
  }, pollMs);
  const [exitCode] = await once(importer, 'exit');
  clearInterval(poll);
  if (exitCode !== 0) throw new Error(`the import ended with exit code ${exitCode}`);
  return peak;
}

/** Linux reports the peak memory of a process (VmHWM). Other systems are not supported. */
async function peakMemory(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1000);
}

/** The lines of a file, each with its end. */
export async function countLines(file: string): Promise<number> {
  let lines = 0;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
  }
  return lines;
}
