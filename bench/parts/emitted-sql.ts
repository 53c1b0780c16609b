import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { coerceParameters } from '../../src/endpoints/parameters/coerce.ts';
import { rowDecoder } from '../../src/engines/duckdb/decode.ts';
import type { Column } from '../../src/sql/type.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGateway, openGateway } from '../gateway.ts';
import { alternate, median, type Runs, repeat } from '../measure.ts';
import { storeFile } from '../store/bench-store.ts';
import { projectRef } from '../store/projects.ts';
import { apiCountsByHand, type Interval, logsAllByHand } from './hand-written.ts';

export interface EmittedSqlOptions {
  readonly dataDir: string;
  /** The instant that queries take for the present, in microseconds since the epoch. */
  readonly now: bigint;
  readonly verbose: boolean;
  readonly print: (text: string) => void;
  /** How often each query is run. */
  readonly runs?: Runs;
}

interface Case {
  readonly what: string;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly byHand: string;
}

const mostTimesByHand = 1.3;
const busy = projectRef(0);
const typical = projectRef(300);
const hour = 3_600_000_000n;

/**
 * How long the SQL that the engine emits takes, against SQL that a person would write for the same answer: turn by
 * turn in the gateway's store, and before that in a DuckDB with its own default settings, in case the store's make
 * things worse. The faster one counts. That both give the same rows is checked, too.
 */
export async function compareEmittedSql(options: EmittedSqlOptions): Promise<Finding[]> {
  const { dataDir, now, runs } = options;
  const plainMs = await plainTimes(dataDir, cases(now), runs);
  await using gateway = await openGateway(dataDir, () => now);
  const connection = await gateway.store.connect();
  try {
    const findings: Finding[] = [];
    for (const [index, one] of cases(now).entries()) {
      findings.push(await compare(gateway, connection, one, plainMs[index] ?? Number.NaN, options));
    }
    return findings;
  } finally {
    connection.closeSync();
  }
}

function cases(now: bigint): readonly Case[] {
  const logsAll = (what: string, project: string, span?: bigint): Case => {
    const bounds = span === undefined ? undefined : { from: now - span, to: now };
    const texts = bounds && { iso_timestamp_start: iso(bounds.from), iso_timestamp_end: iso(bounds.to) };
    return {
      what: `logs.all ${what}`,
      endpoint: 'logs.all',
      parameters: { project, ...texts },
      byHand: logsAllByHand(project, bounds),
    };
  };
  const apiCounts = (interval: Interval, project: string): Case => ({
    what: `usage.api-counts ${interval}${project === busy ? ', busy project' : ''}`,
    endpoint: 'usage.api-counts',
    parameters: { project, interval },
    byHand: apiCountsByHand(project, interval, now),
  });
  return [
    logsAll('plain, busy project', busy),
    logsAll('plain', typical),
    logsAll('24 h', typical, 24n * hour),
    logsAll('1 h', typical, hour),
    apiCounts('minutely', typical),
    apiCounts('hourly', typical),
    apiCounts('daily', typical),
    apiCounts('daily', busy),
  ];
}

/** The medians of the hand-written queries in a DuckDB with default settings, in milliseconds. */
async function plainTimes(dataDir: string, all: readonly Case[], runs: Runs | undefined): Promise<number[]> {
  const instance = await DuckDBInstance.create(storeFile(dataDir), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const medians: number[] = [];
    for (const { byHand } of all) {
      medians.push(median(await repeat(() => connection.runAndReadAll(byHand), runs)));
    }
    return medians;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function compare(
  gateway: BenchGateway,
  connection: DuckDBConnection,
  { what, endpoint: name, parameters, byHand }: Case,
  plainMs: number,
  { verbose, print, runs }: EmittedSqlOptions,
): Promise<Finding> {
  const endpoint = gateway.endpoints.byName(name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const { plan, maxRows } = endpoint;
  const values = coerceParameters(endpoint, new Map(Object.entries(parameters)));
  const { signal } = new AbortController();
  const { rows } = await gateway.engine.run({ plan, parameters: values, maxRows, signal });
  const emitted = gateway.lastSql();
  if (verbose) print(`\n-- ${what}, emitted\n${emitted}\n\n-- ${what}, by hand${byHand}\n`);

  const same = isDeepStrictEqual(rows, await decodedRows(connection, byHand, plan.columns));
  const times = await alternate(
    () => connection.runAndReadAll(emitted),
    () => connection.runAndReadAll(byHand),
    runs,
  );
  const emittedMs = median(times.first);
  const handMs = median(times.second);
  const ratio = emittedMs / Math.min(handMs, plainMs);
  const byHandText = `by hand ${formatMs(handMs)}, in a plain DuckDB ${formatMs(plainMs)}`;
  return {
    part: 'sql',
    what,
    detail: `${formatMs(emittedMs)}; ${byHandText}; ${rows.length} rows${same ? '' : ', NOT THE SAME ROWS'}`,
    result: `x ${ratio.toFixed(2)}`,
    target: `<= x ${mostTimesByHand}`,
    isMet: same && ratio <= mostTimesByHand,
  };
}

async function decodedRows(connection: DuckDBConnection, sql: string, columns: readonly Column[]) {
  const decode = rowDecoder(columns);
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) => decode(row));
}

/** To the microsecond, as a caller would write it. */
function iso(micros: bigint): string {
  const text = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${text}${String(micros % 1000n).padStart(3, '0')}Z`;
}
