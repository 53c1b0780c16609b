import { sourceCatalog } from '../../../../../src/app/schema/source-catalog.ts';
import { systemClock } from '../../../../../src/base/system/clock.ts';
import type { SlicedSource } from '../../../../../src/engines/bigquery/slices/sliced-runs.ts';
import type { EngineRequest } from '../../../../../src/engines/engine/engine.ts';
import { newPlan, type Plan } from '../../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../../src/sql/resolved/result-columns.ts';
import { wholeText } from '../../../../../src/sql/text/place.ts';
import type { Column, SqlType } from '../../../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../../../src/sql/values/value.ts';
import { plainResult } from '../../../../calls/executor/support/result.ts';
import { present } from '../../../../tools/emulators/bigquery/support/served-rows.ts';
import { serveTables } from '../../../../tools/emulators/bigquery/support/served-tables.ts';
import { job } from '../../support/job-setup.ts';
import { requestOf, servedEngine } from '../../support/served-engine.ts';

const string: SqlType = { kind: 'STRING' };
const arrayOf = (...fields: readonly Column[]): SqlType => ({
  kind: 'ARRAY',
  element: { kind: 'STRUCT', fields },
});
const requests = arrayOf({ name: 'path', type: string }, { name: 'url', type: string });
const columns: readonly Column[] = [
  { name: 'id', type: string },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  { name: 'project', type: string },
  { name: 'n', type: { kind: 'INT64' } },
  { name: 'price', type: { kind: 'NUMERIC' } },
  { name: 'share', type: { kind: 'FLOAT64' } },
  { name: 'seen', type: { kind: 'TIMESTAMP' } },
  { name: 'tags', type: { kind: 'ARRAY', element: string } },
  { name: 'metadata', type: arrayOf({ name: 'request', type: requests }) },
];

/** The parameters of all questions. */
const parameters = new Map<string, SqlType>([
  ['project', string],
  ['unit', string],
  ['interval', string],
  ['From', { kind: 'TIMESTAMP' }],
  ['to', { kind: 'TIMESTAMP' }],
  ['least', { kind: 'INT64' }],
]);

export interface Question {
  readonly sql: string;
  readonly values?: Readonly<Record<string, Value>>;
  readonly maxRows?: number;
  readonly endpoint?: string;
  readonly signal?: AbortSignal;
  readonly maxBytesBilled?: number;
}

export interface EventValues {
  readonly project?: string | null;
  readonly n?: bigint | null;
  readonly price?: string | null;
  readonly share?: number | null;
  readonly seen?: bigint | null;
  readonly tags?: readonly string[];
  /** The path of its request. */
  readonly path?: string;
}

let ids = 0;

/** A row of `logs.events`. */
export function eventRow(timestamp: bigint | null, more: EventValues = {}): Row {
  const { project = 'p', n = 1n, price = '1.5', share = 0.5, seen = timestamp, tags = [], path } = more;
  const metadata = path === undefined ? [] : [[[[path, `https://${project}${path}`]]]];
  return [`id${++ids}`, timestamp, project, n, price, share, seen, [...tags], metadata];
}

export const dayMicros = 86_400_000_000n;
/** The beginning of the day of the present. */
export const today = present - (present % dayMicros);

interface WorldOptions extends Partial<SlicedSource> {
  readonly maxBytes?: number;
}

const defaults: SlicedSource = { column: 'timestamp', lateSeconds: 86_400, sliceSeconds: 30 * 86_400 };

/**
 * Two gateways over a BigQuery server, whose clocks can be set: one answers from slices, the other one runs queries as they are
 * written.
 */
export async function slicedWorld(rows: readonly Row[], options: WorldOptions = {}) {
  await using opened = new AsyncDisposableStack();
  const { maxBytes = 64_000_000, ...given } = options;
  let source: SlicedSource = { ...defaults, ...given };
  let [movedMs, aheadMs] = [0, 0];
  const bigQueryNow = () => present + BigInt(movedMs) * 1000n;
  const tables = ['events', 'others'].map((name) => ({ name, columns, rows }));
  const served = opened.use(await serveTables(tables, bigQueryNow));
  const clock = {
    ...systemClock,
    now: () => Number(bigQueryNow() / 1000n) + aheadMs,
    elapsed: () => systemClock.elapsed() + movedMs,
  };
  const slices = { sourceOf: () => source, maxBytes };
  const sliced = opened.use(servedEngine(served, served.server, {}, { clock, slices }));
  const plain = opened.use(servedEngine(served, served.server, {}, { clock, isBounded: false }));
  const catalog = sourceCatalog(served.sources);
  const plans = new Map<string, Plan>();
  const planOf = async (sql: string) => {
    const known = plans.get(sql);
    if (known !== undefined) return known;
    const statement = await served.analyzer.analyze(sql, { catalog, parameters });
    const all = { sql, statement, columns: resultColumns(statement), parameters, origin: wholeText };
    const plan = newPlan({ ...all, isCallers: false });
    plans.set(sql, plan);
    return plan;
  };
  const ask = async (engine: typeof sliced.engine, question: Question) => {
    const { sql, values = {}, maxRows = 100, endpoint = 'e', signal, maxBytesBilled } = question;
    const given = new Map(Array.from(parameters.keys(), (name) => [name, values[name] ?? null]));
    const before = new Set(served.server.jobs);
    const more: Partial<EngineRequest> = {
      ...{ parameters: given, maxRows },
      job: {
        ...job,
        endpoint: { id: endpoint, name: endpoint },
        ...(maxBytesBilled && { maxBytesBilled }),
      },
      ...(signal && { signal }),
    };
    const outcome = await engine.run(requestOf(await planOf(sql), more)).then(
      async (result) => {
        const { engineMs: _, cost, slices: counts, ...answer } = await plainResult(result);
        return { answer, cost, slices: counts };
      },
      (error: unknown) => ({ answer: String(error), cost: undefined, slices: undefined }),
    );
    const jobs = served.server.jobs.filter((each) => !before.has(each));
    return {
      ...outcome,
      jobs: jobs.length,
      partitions: jobs.reduce((sum, { planned }) => sum + (planned?.partitionsProcessed ?? 0), 0),
      bytes: jobs.reduce((sum, { planned }) => sum + (planned?.bytesProcessed ?? 0), 0),
    };
  };
  const resources = opened.move();
  return {
    server: served.server,
    /** Whether the analyzer takes a text for a query. */
    accepts: (sql: string) =>
      planOf(sql).then(
        () => true,
        () => false,
      ),
    sliced: (question: Question) => ask(sliced.engine, question),
    plain: (question: Question) => ask(plain.engine, question),
    addRows: (more: readonly Row[]) => served.addRows('events', more),
    drop: (endpoint?: string) => sliced.engine.dropSlices(endpoint),
    /** Forgets all slices, and gives the source other settings. */
    begin(settings: Partial<SlicedSource> = {}) {
      sliced.engine.dropSlices();
      source = { ...defaults, ...settings };
    },
    /** Moves all clocks. */
    move(ms: number) {
      movedMs += ms;
    },
    /** Makes the gateway's clock differ from BigQuery's. */
    differ(ms: number) {
      aheadMs = ms;
    },
    now: bigQueryNow,
    warnings: sliced.warnings,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
