import { onTestFinished } from 'vitest';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { sourceName } from '../../../../src/engines/duckdb/run/emit-context.ts';
import { Slices } from '../../../../src/engines/duckdb/slices/slices.ts';
import type { SliceCounts } from '../../../../src/engines/engine/engine.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { ingestBatch, type TestRow } from '../store/ingest-batches.ts';
import { makeSource, openTestStore, temporaryFolder } from '../store/support.ts';

export const minute = 60_000_000n;
export const hour = 60n * minute;
// 2026-11-20 06:00:00 UTC
export const start = 1_795_154_400_000_000n;

export const columns = [
  { name: 'project', type: 'STRING' },
  { name: 'status', type: 'INT64' },
  { name: 'amount', type: 'NUMERIC' },
  { name: 'ratio', type: 'FLOAT64' },
  { name: 'ok', type: 'BOOL' },
  // Names that the engine gives to columns of slices.
  { name: 'slice', type: 'INT64' },
  { name: 'slice_rows', type: 'STRING' },
  {
    name: 'm',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'n', type: 'INT64' },
      { name: 't', type: 'STRING' },
    ],
  },
] as const;

export const source = makeSource('s', ...columns);

interface Question {
  readonly sql: string;
  readonly types?: Readonly<Record<string, SqlType>>;
  readonly values?: Readonly<Record<string, Value>>;
  readonly maxRows?: number;
}

/** What an engine answers. */
interface Answer {
  readonly rows: readonly string[];
  readonly truncated: boolean;
  readonly slices: SliceCounts | undefined;
}

interface WorldOptions {
  readonly maxBytes?: number;
  readonly leastRows?: number;
  readonly leastRuns?: number;
  /** The source, in place of the usual one. */
  readonly of?: Source;
}

/** A store with an engine that keeps slices, even of few rows and from the first run on, and one that doesn't. */
export async function slicedWorld({ of: first = source, ...options }: WorldOptions = {}) {
  const analyzer = await Analyzer.start();
  onTestFinished(() => analyzer.close());
  const folder = await temporaryFolder();
  const clock = { now: start };
  const failures: unknown[] = [];
  let current = first;
  const more: object[] = [];
  const open = async () => {
    const store = await openTestStore(folder, current);
    const slices = await Slices.open({
      ...{ store, sourceName, now: () => clock.now, elapsed: () => Number(clock.now / 1000n) },
      ...{ maxBytes: 50_000_000, leastRows: 0, leastRuns: 1, leastMs: 0, sliceRows: 20, ...options },
      onFailure: (error) => failures.push(error),
    });
    const engine = await DuckDbEngine.open({ store, now: () => clock.now, slices });
    return { store, slices, engine };
  };
  let opened = await open();
  onTestFinished(() => opened.engine.close());
  const plans = new Map<string, Promise<Plan>>();
  const planOf = (sql: string, types: Readonly<Record<string, SqlType>>) => {
    const known = plans.get(sql);
    if (known !== undefined) return known;
    const parameters = new Map(Object.entries(types));
    const plan = analyzer
      .analyze(sql, { catalog: sourceCatalog([first]), parameters })
      .then((statement) =>
        newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters }),
      );
    plans.set(sql, plan);
    return plan;
  };
  const answer = async (
    { sql, types = {}, values = {}, maxRows = 10_000 }: Question,
    readsAllRows: boolean,
  ): Promise<Answer> => {
    const plan = await planOf(sql, types);
    const { rows, slices, truncated } = await opened.engine.run({
      ...{ plan, parameters: new Map(Object.entries(values)), maxRows },
      ...{ signal: new AbortController().signal, readsAllRows },
    });
    const texts = (await rows.all()).map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
    );
    return { rows: texts.sort(), truncated, slices };
  };
  return {
    ...{ clock, failures },
    get store() {
      return opened.store;
    },
    get slices() {
      return opened.slices;
    },
    add: (rows: readonly TestRow[], madeTimes = false) =>
      opened.store.ingest([ingestBatch(current, rows, { madeTimes })]),
    sliced: (question: Question) => answer(question, false),
    whole: (question: Question) => answer(question, true),
    current: () => current,
    /** Adds a column, which can't be taken back. */
    async addColumn(name: string) {
      const added = { name: `${name}${current.columns.length}`, type: 'STRING' };
      more.push(added);
      const changed = makeSource('s', ...columns, ...more);
      await opened.store.useSources([changed]);
      current = changed;
    },
    /** Opens the store and the engine anew. */
    async restart() {
      await opened.engine.close();
      await opened.store.close();
      opened = await open();
    },
  };
}

/** A time as rows have it. */
export function timeText(micros: bigint): string {
  const seconds = (micros - mod(micros, 1_000_000n)) / 1_000_000n;
  const text = new Date(Number(seconds) * 1_000).toISOString().slice(0, -'.000Z'.length);
  return `${text}.${String(mod(micros, 1_000_000n)).padStart(6, '0')}Z`;
}

function mod(number: bigint, divisor: bigint): bigint {
  return ((number % divisor) + divisor) % divisor;
}
