import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { rowDecoder } from '../../src/engines/duckdb/decode.ts';
import { allRowsSql } from '../../src/engines/duckdb/store/row-table.ts';
import { loadSources } from '../../src/sources/load-sources.ts';
import type { Plan } from '../../src/sql/plan.ts';
import type { Column } from '../../src/sql/type.ts';
import type { Value } from '../../src/sql/value.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGateway, openGateway } from '../gateway.ts';
import { alternate, median, type Runs, repeat } from '../measure.ts';
import { storeFile } from '../store/bench-store.ts';

export interface CompareOptions {
  readonly dataDir: string;
  /** The instant that queries take for the present, in microseconds since the epoch. */
  readonly now: bigint;
  readonly verbose: boolean;
  readonly print: (text: string) => void;
  /** How often each query is run. */
  readonly runs?: Runs;
}

/** A query, and what a person who knows DuckDB would write for the same answer. */
export interface Compared {
  readonly what: string;
  readonly byHand: string;
  /** What the engine runs. */
  prepare(gateway: BenchGateway): Promise<Prepared>;
}

export interface Prepared {
  readonly plan: Plan;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly maxRows: number;
}

/** How many times the time of the hand-written query is aimed at, and the part of the benchmark. */
export interface Aim {
  readonly part: string;
  readonly mostTimesByHand: number;
}

/**
 * How long the SQL that the engine emits takes, against SQL that a person would write for the same answer: turn by
 * turn in the gateway's store, and before that in a DuckDB with its own default settings, in case the store's make
 * things worse. The faster one counts. That both give the same rows is checked, too.
 */
export async function compareSql(
  all: readonly Compared[],
  aim: Aim,
  options: CompareOptions,
): Promise<Finding[]> {
  const { dataDir, now, runs } = options;
  const compared = await overBothTables(all);
  const plainMs = await plainTimes(dataDir, compared, runs);
  await using gateway = await openGateway(dataDir, () => now);
  const connection = await gateway.store.connect();
  try {
    const findings: Finding[] = [];
    for (const [index, one] of compared.entries()) {
      findings.push(await compare(gateway, connection, one, plainMs[index] ?? Number.NaN, aim, options));
    }
    return findings;
  } finally {
    connection.closeSync();
  }
}

/** SQL written by hand names the source; its rows are in two tables. */
async function overBothTables(all: readonly Compared[]): Promise<Compared[]> {
  const { sources } = await loadSources('schema/sources');
  const source = sources.find(({ name }) => name === 'edge_logs');
  if (source === undefined) throw new Error('no edge_logs');
  return all.map((one) => ({
    ...one,
    byHand: one.byHand.replaceAll('logs.edge_logs', () => `${allRowsSql(source)} AS edge_logs`),
  }));
}

/** The medians of the hand-written queries in a DuckDB with default settings, in milliseconds. */
async function plainTimes(
  dataDir: string,
  all: readonly Compared[],
  runs: Runs | undefined,
): Promise<number[]> {
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
  { what, byHand, prepare }: Compared,
  plainMs: number,
  { part, mostTimesByHand }: Aim,
  { verbose, print, runs }: CompareOptions,
): Promise<Finding> {
  const { plan, parameters, maxRows } = await prepare(gateway);
  const { signal } = new AbortController();
  const { rows } = await gateway.engine.run({ plan, parameters, maxRows, signal });
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
    part,
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
