import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Finding, formatMs } from '../finding.ts';
import { median } from '../measure.ts';
import { prove, proveIs } from '../proof.ts';
import { benchKey, startGateway } from '../started-gateway.ts';

export interface ExportOptions {
  readonly dataDir: string;
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly rows?: number;
  readonly runs?: number;
}

const mostTimes = 3;
const mostGrownBytes = 64e6;

/** The formats, each with DuckDB's own that is most like it. */
const formats = [
  ['csv', 'csv'],
  ['ndjson', 'json'],
  ['parquet', 'parquet'],
  ['arrow', 'parquet'],
] as const;

const endpoint = (rows: number) => `/*
id: 3f0c1f4e-6a0b-4a57-8d0e-5b8f6f4f2a11
name: export
exportRows: ${rows}
*/
SELECT id, timestamp, event_message, LENGTH(event_message) AS length, r.path, p.status_code AS status
FROM logs.edge_logs CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.request) AS r CROSS JOIN UNNEST(m.response) AS p`;

/**
 * Measures exports of rows of six columns against DuckDB's `COPY ... TO` of the same rows from a table in memory, and
 * how much the server's memory grows. Proves that each export has all rows.
 *
 * @throws MeasurementError
 */
export async function measureExport(options: ExportOptions): Promise<Finding[]> {
  const { rows = 1_000_000, runs = 3 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  try {
    await writeFile(join(folder, 'export.sql'), endpoint(rows));
    const environment = { ...options.environment, ENDPOINTS_DIR: folder };
    await using gateway = await startGateway({ ...options, environment });
    const file = (format: string) => join(folder, `rows.${format}`);
    const fetched = async (format: string) => {
      const began = performance.now();
      await download(gateway.port, format, file(format));
      return performance.now() - began;
    };
    // The first export of a format loads its library.
    for (const [format] of formats) await fetched(format);

    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE rows AS FROM read_parquet('${file('parquet')}')`);
    const count = async (from: string) =>
      Number((await connection.runAndReadAll(`SELECT COUNT(*) FROM ${from}`)).getRows()[0]?.[0]);
    proveIs(await count('rows'), rows, 'rows of the Parquet file');
    proveIs(await count(`read_csv('${file('csv')}')`), rows, 'rows of the CSV file');
    proveIs(await count(`read_json('${file('ndjson')}')`), rows, 'lines of the NDJSON file');

    const findings: Finding[] = [];
    for (const [format, like] of formats) {
      const times: number[] = [];
      const copies: number[] = [];
      const before = await residentBytes(gateway.process.pid);
      for (let run = 0; run < runs; run++) {
        times.push(await fetched(format));
        const began = performance.now();
        await connection.run(`COPY rows TO '${join(folder, 'copy')}' (FORMAT ${like})`);
        copies.push(performance.now() - began);
      }
      const grown = (await residentBytes(gateway.process.pid)) - before;
      const ratio = median(times) / median(copies);
      findings.push(
        {
          part: 'export',
          what: `${format}: time`,
          detail: `${formatMs(median(times))}, COPY to ${like} ${formatMs(median(copies))}`,
          result: `${ratio.toFixed(1)} times`,
          target: `${mostTimes} times`,
          isMet: ratio <= mostTimes,
        },
        {
          part: 'export',
          what: `${format}: the server's memory`,
          detail: `after ${runs} exports`,
          result: `${(grown / 1e6).toFixed(0)} MB more`,
          target: `${mostGrownBytes / 1e6} MB`,
          isMet: grown <= mostGrownBytes,
        },
      );
    }
    connection.closeSync();
    return findings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** The resident memory of a process, where the system tells it in `/proc`. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
