import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { makeSource, openTestStore, temporaryFolder } from '../store/support.ts';

export const day = 86_400_000_000n;
/** 2026-11-01 00:00:00 UTC */
export const firstDay = 1_793_491_200_000_000n;
export const days = 30;
/** So many rows are in a row group. */
export const groupRows = 122_880;

const sources = [
  makeSource(
    's',
    { name: 'event_message', type: 'STRING' },
    { name: 'project', type: 'STRING' },
    { name: 'status', type: 'INT64' },
    { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'path', type: 'STRING' }] },
  ),
  makeSource('other', { name: 'status', type: 'INT64' }),
  makeSource('empty', { name: 'status', type: 'INT64' }),
];

export interface Question {
  readonly sql: string;
  readonly types?: Readonly<Record<string, SqlType>>;
  readonly values?: Readonly<Record<string, Value>>;
  readonly maxRows?: number;
  readonly maxScanBytes?: number;
}

/** A store with rows of thirty days in their order, and an engine over it. */
export async function estimatedWorld(rows = 260_000) {
  const analyzer = await Analyzer.start();
  onTestFinished(() => analyzer.close());
  const folder = await temporaryFolder();
  const now = () => firstDay + BigInt(days) * day;
  const open = async () => {
    const store = await openTestStore(folder, ...sources);
    const engine = await DuckDbEngine.open({ store, now });
    return { store, engine };
  };
  let opened = await open();
  onTestFinished(() => opened.engine.close());
  const write = async (...statements: readonly string[]) => {
    const connection = await opened.store.connect();
    for (const sql of statements) await connection.run(sql);
    connection.closeSync();
  };
  const time = (i: string, count: number) =>
    `make_timestamp(${firstDay} + CAST(floor(${i} * ${days} * ${day} / ${count}) AS BIGINT))`;
  await write(
    `INSERT INTO flat.s (id, timestamp, event_message, project, status, "m.", "m.path")
     SELECT 'id' || i, ${time('i', rows)}, repeat('text ', CAST(i % 20 AS INT)), 'p' || (i % 7), 200 + i % 5, true, '/' || i
     FROM range(${rows}) AS t(i)`,
    `INSERT INTO flat.other (id, timestamp, status)
     SELECT 'id' || i, ${time('i', 1000)}, 200 + i % 5 FROM range(1000) AS t(i)`,
    'CHECKPOINT',
  );
  const plans = new Map<string, Promise<Plan>>();
  const planOf = (sql: string, types: Readonly<Record<string, SqlType>>) => {
    const parameters = new Map(Object.entries(types));
    const plan =
      plans.get(sql) ??
      analyzer
        .analyze(sql, { catalog: sourceCatalog(sources), parameters })
        .then((statement) =>
          newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters }),
        );
    plans.set(sql, plan);
    return plan;
  };
  const requestOf = async ({ sql, types = {}, values = {}, maxRows = 10_000, maxScanBytes }: Question) => ({
    ...{ plan: await planOf(sql, types), parameters: new Map(Object.entries(values)), maxRows, maxScanBytes },
    signal: new AbortController().signal,
  });
  return {
    write,
    /** Adds rows of one moment. */
    add: (count: number, micros: bigint) =>
      write(
        `INSERT INTO flat.s (id, timestamp, status) SELECT 'new' || i, make_timestamp(${micros}), 1 FROM range(${count}) AS t(i)`,
      ),
    deleteBefore: (micros: bigint) =>
      opened.store.deleteRows(sources[0] as Source, { before: micros }, new AbortController().signal),
    estimate: async (question: Question) => opened.engine.estimate(await requestOf(question)),
    run: async (question: Question) => opened.engine.run(await requestOf(question)),
    /** What DuckDB counts when it runs a query. */
    async scanned(question: Question) {
      const connection = await opened.store.connect();
      let [scannedRows, bytes] = [0, 0];
      for (const sql of await opened.engine.sqlOf(await requestOf(question))) {
        const reader = await connection.runAndReadAll(`EXPLAIN (ANALYZE, FORMAT json) ${sql}`);
        const profile = profileOf.parse(JSON.parse(String(reader.getRows()[0]?.[1])));
        scannedRows += profile.cumulative_rows_scanned;
        bytes += profile.total_bytes_read;
      }
      connection.closeSync();
      return { rows: scannedRows, bytes };
    },
    /** Opens the store anew, so that no block of it is in memory. */
    async restart() {
      await opened.engine.close();
      await opened.store.close();
      opened = await open();
    },
  };
}

const profileOf = z.object({ cumulative_rows_scanned: z.number(), total_bytes_read: z.number() });
