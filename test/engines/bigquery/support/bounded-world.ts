import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { newPlan, type Plan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { wholeText } from '../../../../src/sql/text/place.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { plainResult } from '../../../calls/executor/support/result.ts';
import { present } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { serveTables } from '../../../tools/emulators/bigquery/support/served-tables.ts';
import { requestOf, servedEngine } from './served-engine.ts';

const string: SqlType = { kind: 'STRING' };
const columns = [
  { name: 'id', type: string },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  { name: 'project', type: string },
  { name: 'n', type: { kind: 'INT64' } },
  { name: 'tags', type: { kind: 'ARRAY', element: string } },
] as const;

/** The parameters of all questions. */
const parameters = new Map<string, SqlType>([
  ['project', string],
  ['from', string],
  ['to', string],
  ['since', { kind: 'TIMESTAMP' }],
  ['rows', { kind: 'INT64' }],
]);

export interface Question {
  readonly sql: string;
  readonly values?: Readonly<Record<string, Value>>;
  readonly maxRows?: number;
  /** Milliseconds by which the gateway's clock differs from BigQuery's. */
  readonly clockMs?: number;
}

/** What jobs have read. */
export interface Read {
  readonly jobs: number;
  readonly partitions: number;
  readonly bytes: number;
}

/** A row of `logs.events` and of `logs.others`, which has the same ones. */
export function eventRow(
  id: string,
  timestamp: bigint | null,
  more: { project?: string; n?: bigint | null; tags?: string[] } = {},
): Row {
  return [id, timestamp, more.project ?? 'p', more.n ?? null, more.tags ?? []];
}

export const dayMicros = 86_400_000_000n;

/** Two gateways over a BigQuery server: one limits the rows of tables, the other one runs queries as they are written. */
export async function boundedWorld(rows: readonly Row[]) {
  await using opened = new AsyncDisposableStack();
  const tables = ['events', 'others'].map((name) => ({ name, columns, rows }));
  const served = opened.use(await serveTables(tables));
  let clockMs = 0;
  const clock = { ...systemClock, now: () => Number(present / 1000n) + clockMs };
  const bounded = opened.use(servedEngine(served, served.server, {}, { clock }));
  const plain = opened.use(servedEngine(served, served.server, {}, { clock, isBounded: false }));
  const catalog = sourceCatalog(served.sources);
  const plans = new Map<string, Plan>();
  const planOf = async (sql: string) => {
    const statement = await served.analyzer.analyze(sql, { catalog, parameters });
    const all = { sql, statement, columns: resultColumns(statement), parameters, origin: wholeText };
    const plan = plans.get(sql) ?? newPlan({ ...all, isCallers: false });
    plans.set(sql, plan);
    return plan;
  };
  const ask = async (engine: typeof bounded.engine, question: Question) => {
    const { sql, values = {}, maxRows = 100 } = question;
    clockMs = question.clockMs ?? 0;
    const given = new Map(Array.from(parameters.keys(), (name) => [name, values[name] ?? null]));
    const before = new Set(served.server.jobs);
    const request = requestOf(await planOf(sql), { parameters: given, maxRows });
    const outcome = await engine.run(request).then(
      async (result) => {
        const { engineMs: _, cost, ...answer } = await plainResult(result);
        return { answer, cost };
      },
      (error: unknown) => ({ answer: String(error), cost: undefined }),
    );
    const jobs = served.server.jobs.filter((job) => !before.has(job));
    const read: Read = {
      jobs: jobs.length,
      partitions: jobs.reduce((sum, { planned }) => sum + (planned?.partitionsProcessed ?? 0), 0),
      bytes: jobs.reduce((sum, { planned }) => sum + (planned?.bytesProcessed ?? 0), 0),
    };
    return { ...outcome, read };
  };
  const resources = opened.move();
  return {
    server: served.server,
    bounded: (question: Question) => ask(bounded.engine, question),
    plain: (question: Question) => ask(plain.engine, question),
    estimate: async ({ sql, values = {} }: Question) => {
      const given = new Map(Array.from(parameters.keys(), (name) => [name, values[name] ?? null]));
      return bounded.engine.estimate(requestOf(await planOf(sql), { parameters: given }));
    },
    warnings: bounded.warnings,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
