import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { readConfig } from '../../src/app/engines/registry.ts';
import type { AuthorisedCall } from '../../src/calls/call/authorised-call.ts';
import { rowDecoder } from '../../src/engines/duckdb/run/rows/decode.ts';
import { allRowsSql } from '../../src/engines/duckdb/store/tables/row-table.ts';
import type { Row } from '../../src/sql/values/value.ts';
import { countsBetween, proveEngineRuns } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGateway, type BenchGatewayOptions, openGateway } from '../gateway.ts';
import { alternate, median, type Runs, repeat, type Task } from '../measure.ts';
import { about, prove, proveIs, proveSame } from '../proof.ts';
import { storeFile } from '../store/bench-store.ts';
import { edgeLogs } from '../store/shipped-sources.ts';
import { type ClickhouseQuery, comparedColumns } from './leaves-in-clickhouse.ts';

export interface CompareOptions extends BenchGatewayOptions {
  readonly verbose: boolean;
  readonly print: (text: string) => void;
  /** The number of runs of each query. */
  readonly runs?: Runs;
  /** A ClickHouse with the same rows, which runs in turn with the two others. */
  readonly clickhouse?: Clickhouse;
}

interface Clickhouse {
  /** Runs SQL and gives the rows, and the milliseconds in its own process. */
  run(sql: string): Promise<{ readonly ms: number; readonly rows: readonly (readonly unknown[])[] }>;
}

/** A query, and hand-written SQL with the same result. */
export interface Compared {
  readonly what: string;
  readonly byHand: string;
  readonly clickhouse?: ClickhouseQuery;
  /** The call of the gateway. */
  prepare(gateway: BenchGateway): Promise<AuthorisedCall>;
}

/** The times of a query, in milliseconds for each run, in the gateway and written by hand. Both gave the same rows. */
export interface MeasuredSql {
  readonly what: string;
  readonly gateway: readonly number[];
  /** Of these, the engine's own time. */
  readonly engine: readonly number[];
  /** The hand-written SQL in the gateway's store, in turn with the gateway. */
  readonly byHand: readonly number[];
  /** The median of the hand-written SQL in a DuckDB with default settings. */
  readonly plainMs: number;
  /** ClickHouse, in turn with both. Empty without one. */
  readonly clickhouse: readonly number[];
  /** The number of rows of the result. */
  readonly rows: number;
  readonly engineRuns: number;
}

/** The faster time of the hand-written SQL, in milliseconds. */
export function fasterByHand({ byHand, plainMs }: MeasuredSql): number {
  return Math.min(median(byHand), plainMs);
}

/** The target, and the part of the benchmark. */
export interface Aim {
  readonly part: string;
  /** The target as a multiple of the hand-written query's time. */
  readonly maxTimesByHand: number;
  /** An addition to that, in milliseconds; 0 by default. */
  readonly plusMs?: number;
}

/** Compares queries as `measureSql` does. */
export async function compareSql(
  all: readonly Compared[],
  aim: Aim,
  options: CompareOptions,
): Promise<Finding[]> {
  return (await measureSql(all, options)).map((measured) => finding(measured, aim));
}

/**
 * Compares the time of a call in the gateway, from its parameters to decoded rows, with hand-written SQL for the same
 * result, read to the end. Both run alternately in the gateway's store. Before that, the hand-written SQL runs in a
 * DuckDB with the same number of threads and otherwise default settings, in case the store's settings are worse. The
 * faster of its two times counts.
 *
 * Proves for each run that the engine gave DuckDB the same statement as in the first one, and that both sides returned
 * the same rows.
 *
 * @throws MeasurementError
 */
export async function measureSql(all: readonly Compared[], options: CompareOptions): Promise<MeasuredSql[]> {
  const compared = await overBothTables(all);
  const plain = await plainRuns(compared, options);
  prove(
    plain.some(({ rows }) => rows.length > 0),
    'no query gives any rows',
  );
  await using gateway = await openGateway(options);
  const connection = await gateway.store.connect();
  try {
    const measured: MeasuredSql[] = [];
    for (const [index, one] of compared.entries()) {
      const inPlain = plain[index] ?? { ms: Number.NaN, rows: [] };
      measured.push(await about(one.what, () => compare(gateway, connection, one, inPlain, options)));
    }
    return measured;
  } finally {
    connection.closeSync();
  }
}

/** Hand-written SQL names the source; its rows are in two tables. */
async function overBothTables(all: readonly Compared[]): Promise<Compared[]> {
  const source = await edgeLogs();
  return all.map((one) => ({
    ...one,
    byHand: one.byHand.replaceAll('logs.edge_logs', () => `${allRowsSql(source)} AS edge_logs`),
  }));
}

/** A row as DuckDB's client gives it. */
type RawRow = readonly DuckDBValue[];

/** The result of a hand-written query in a DuckDB with default settings, except the gateway's number of threads. */
interface PlainRuns {
  /** The median, in milliseconds. */
  readonly ms: number;
  readonly rows: readonly RawRow[];
}

async function plainRuns(
  all: readonly Compared[],
  { dataDir, runs }: Pick<CompareOptions, 'dataDir' | 'runs'>,
): Promise<PlainRuns[]> {
  const threads = String(readConfig({ DATA_DIR: dataDir }).duckdbThreads);
  const instance = await DuckDBInstance.create(storeFile(dataDir), { access_mode: 'READ_ONLY', threads });
  const connection = await instance.connect();
  try {
    const results: PlainRuns[] = [];
    for (const { what, byHand } of all) {
      const rows = await rawRows(connection, byHand);
      const task = handTask(connection, byHand, rows);
      results.push({ ms: median(await about(what, () => repeat(task, runs))), rows });
    }
    return results;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function compare(
  gateway: BenchGateway,
  connection: DuckDBConnection,
  { what, byHand, clickhouse: inClickhouse, prepare }: Compared,
  plain: PlainRuns,
  { verbose, print, runs, clickhouse }: CompareOptions,
): Promise<MeasuredSql> {
  const { signal } = new AbortController();
  const call = await (await prepare(gateway)).planned(signal);
  const before = { counts: await gateway.counts(), statements: gateway.statements.length };
  let calls = 0;
  const engineTimes: number[] = [];
  const execute = async () => {
    calls++;
    const result = await gateway.executor.execute(call, { signal });
    engineTimes.push(result.engineMs);
    return result.rows.all();
  };

  const rows = await execute();
  // The first statement finds the rows; further ones read more of their columns.
  const ofOneCall = gateway.statements.slice(before.statements);
  const [emitted] = ofOneCall;
  prove(emitted !== undefined, 'the engine gave DuckDB no statement that was seen');
  if (verbose) print(`\n-- ${what}, emitted\n${ofOneCall.join(';\n')}\n\n-- ${what}, by hand${byHand}\n`);
  const { columns } = call.query?.plan ?? call.endpoint.plan;
  const decode = rowDecoder(columns);
  const decoded = (raw: readonly RawRow[]) => raw.map((row) => decode(row));
  const ofStatement = (await rawRows(connection, emitted)).slice(0, rows.length);
  proveIs(ofStatement.length, rows.length, 'rows of the statement that was seen');
  const handRows = await rawRows(connection, byHand);
  proveSame(decoded(handRows), rows, 'the hand-written SQL does not give the same rows');
  proveSame(plain.rows, handRows, 'the hand-written SQL gives other rows in a plain DuckDB');

  const gatewayTask: Task<readonly (Row | RawRow)[]> = {
    run: execute,
    check: (answer) => proveSame(answer, rows, 'a later run did not give the same rows'),
  };
  const tasks = [gatewayTask, handTask(connection, byHand, handRows)] as const;
  const third =
    clickhouse === undefined || inClickhouse === undefined
      ? []
      : [clickhouseTask(clickhouse, inClickhouse, handRows)];
  const [ofGateway, ofHand, ...ofThird] = await alternate([...tasks, ...third], runs);
  const statements = gateway.statements.slice(before.statements);
  proveIs(statements.length, calls * ofOneCall.length, 'statements that were seen');
  prove(
    statements.every((sql, i) => sql === ofOneCall[i % ofOneCall.length]),
    'a later run gave DuckDB another statement',
  );
  proveEngineRuns(countsBetween(before.counts, await gateway.counts()), calls);

  return {
    what,
    gateway: ofGateway,
    engine: engineTimes.slice(-ofGateway.length),
    byHand: ofHand,
    plainMs: plain.ms,
    clickhouse: ofThird.flat(),
    rows: rows.length,
    engineRuns: calls,
  };
}

function finding(measured: MeasuredSql, { part, maxTimesByHand, plusMs = 0 }: Aim): Finding {
  const { what, gateway, engine, byHand, plainMs, rows, engineRuns } = measured;
  const gatewayMs = median(gateway);
  const fasterMs = fasterByHand(measured);
  const details = [
    `gateway ${formatMs(gatewayMs)}, of it the engine ${formatMs(median(engine))}`,
    `by hand ${formatMs(median(byHand))}, in a plain DuckDB ${formatMs(plainMs)}`,
    `the same ${rows} rows`,
    `${engineRuns} engine runs`,
  ];
  return {
    part,
    what,
    detail: details.join('; '),
    result: `x ${(gatewayMs / fasterMs).toFixed(2)}`,
    target: `<= x ${maxTimesByHand}${plusMs === 0 ? '' : ` + ${plusMs} ms`}`,
    isMet: gatewayMs <= maxTimesByHand * fasterMs + plusMs,
  };
}

function handTask(
  connection: DuckDBConnection,
  sql: string,
  rows: readonly RawRow[],
): Task<readonly (Row | RawRow)[]> {
  return {
    run: () => rawRows(connection, sql),
    check: (answer) => proveSame(answer, rows, 'a later run of the hand-written SQL gave other rows'),
  };
}

/** ClickHouse measures itself: no user of it waits for this process. */
function clickhouseTask(
  clickhouse: Clickhouse,
  { sql, same }: ClickhouseQuery,
  handRows: readonly RawRow[],
): Task<Awaited<ReturnType<Clickhouse['run']>>> {
  const expected = comparedColumns(handRows, same);
  return {
    run: () => clickhouse.run(sql),
    check: ({ rows }) =>
      proveSame(comparedColumns(rows, same), expected, 'ClickHouse does not give the same rows'),
    msOf: ({ ms }) => ms,
  };
}

async function rawRows(connection: DuckDBConnection, sql: string): Promise<RawRow[]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
