import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { TableField } from '../../definitions/sources/table-field.ts';
import { columnsOfRows } from '../../sql/columns/columns-of-rows.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import type {
  Cost,
  Engine,
  EngineRequest,
  EngineResult,
  Estimate,
  StreamEnd,
  TakeColumns,
  TakeRows,
} from '../engine/engine.ts';
import { inChunks } from '../rows/in-chunks.ts';
import { rowsInMemory } from '../rows/result-rows.ts';
import type { BigQueryApi } from './api/big-query-api.ts';
import { Cancels } from './jobs/cancels.ts';
import { errorFields } from './jobs/error-fields.ts';
import { failureOf, isFullyReported } from './jobs/failures.ts';
import { JobError } from './jobs/job-error.ts';
import { type JobTools, newJob, type QueryToRun } from './jobs/job-tools.ts';
import { Jobs } from './jobs/jobs.ts';
import { dryRunBody, type JobQuery } from './jobs/requests.ts';
import { runQuery } from './jobs/run-query.ts';
import { type BigQuerySettings, type EffectiveSettings, effectiveSettings } from './jobs/settings.ts';
import { FewestRows, sumOf } from './newest/fewest-rows.ts';
import type { SliceJob } from './sliceable/sliced-texts.ts';
import { SlicedRuns, type SlicedSource } from './slices/sliced-runs.ts';
import type { JobText, JobTexts, RunTexts } from './sql/job-text.ts';
import { AnswerError } from './values/answer-error.ts';
import { queryParameters } from './values/query-parameters.ts';
import { rowDecoder } from './values/row-decoder.ts';

interface BigQueryEngineOptions {
  readonly api: BigQueryApi;
  /** The project in which jobs are created, and that pays for them. */
  readonly project: string;
  readonly texts: JobTexts;
  readonly settings: BigQuerySettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns new job ids: UUIDs. */
  readonly newId?: () => string;
  /** The column with the time of a source that is read within bounds of it only. Undefined for other sources. */
  readonly requiredTimeOf?: (source: string) => string | undefined;
  /** Without it, every query reads all of its rows. */
  readonly slices?: SlicesOptions;
}

export interface SlicesOptions {
  /** Undefined for a source whose rows have no slices. */
  readonly sourceOf: (source: string) => SlicedSource | undefined;
  /** About the most bytes of all slices. */
  readonly maxBytes: number;
}

/** BigQuery's description of a query that was not run. */
interface DryRun {
  /** The bytes that it would read. */
  readonly bytesProcessed: number;
  /** The columns of its result, if BigQuery reports them. */
  readonly fields: readonly TableField[] | undefined;
}

/** BigQuery always takes longer to respond, in milliseconds. With less of a request's time left, no job is created. */
const leastMs = 10;

/** Everything that is prepared for a request before calling BigQuery. */
interface Prepared {
  readonly texts: RunTexts;
  readonly settings: EffectiveSettings;
  readonly queryOf: (text: JobText) => JobQuery;
}

/** BigQuery over its REST API: runs a query's job, from its creation to its last row. */
export class BigQueryEngine implements Engine {
  readonly name = 'bigquery';
  readonly #options: BigQueryEngineOptions;
  readonly #tools: JobTools;
  readonly #fewestRows: FewestRows;
  readonly #slicedRuns: SlicedRuns;
  readonly #closed = new AbortController();
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(options: BigQueryEngineOptions) {
    const { api, project, clock, log, newId = randomUUID } = options;
    const jobs = new Jobs({ api, clock, project });
    this.#options = options;
    this.#tools = { jobs, cancels: new Cancels({ jobs, clock, log }), api, clock, newId, project };
    this.#fewestRows = new FewestRows(clock, log);
    const { slices = { sourceOf: () => undefined, maxBytes: 0 } } = options;
    this.#slicedRuns = new SlicedRuns({ clock, log, ...slices });
  }

  async prepare(plan: Plan, signal?: AbortSignal): Promise<void> {
    await this.#options.texts.prepare(plan, signal);
  }

  async run(request: EngineRequest): Promise<EngineResult> {
    const rows: Row[] = [];
    const end = await this.#rows(request, (more) => {
      for (const row of more) rows.push(row);
    });
    return { columns: request.plan.columns, rows: rowsInMemory(rows), ...end };
  }

  stream(request: EngineRequest, take: TakeColumns): Promise<StreamEnd> {
    const { columns } = request.plan;
    return this.#rows(request, async (rows) => {
      for (const some of inChunks(rows)) await take(columnsOfRows(columns, some));
    });
  }

  async #rows(request: EngineRequest, take: TakeRows): Promise<StreamEnd> {
    const { plan, maxRows } = request;
    const { clock } = this.#options;
    const started = clock.elapsed();
    const end = await this.#bounded(request, async (prepared, limits) => {
      const { texts, settings } = prepared;
      const { jobTimeoutMs = Number.POSITIVE_INFINITY } = settings;
      const left = () => Math.max(1, Math.ceil(limits.deadline - clock.elapsed()));
      const shared = { limits, jobTimeoutMs: () => Math.min(jobTimeoutMs, left()) };
      const costs: (Cost | undefined)[] = [];
      const runJob = async (
        query: JobQuery,
        columns: readonly Column[],
        rows: number,
        takeRows: TakeRows,
      ) => {
        const todo = { query, maxRows: rows, ...shared };
        const decoderFor = (schema: unknown) => rowDecoder(columns, schema);
        const jobEnd = await runQuery(this.#tools, todo, decoderFor, takeRows);
        costs.push(jobEnd.cost);
        return jobEnd;
      };
      const runner = {
        endpoint: request.job.endpoint.id,
        signal: limits.signal,
        maxBytesBilled: settings.maxBytesBilled,
        run: ({ sql, parameters, columns }: SliceJob, takeRows: TakeRows, rows = maxRows) =>
          runJob({ sql, parameters, settings }, columns, rows, takeRows),
        bytes: async (job?: SliceJob) => {
          const { bytesProcessed } = await (job === undefined
            ? this.#dryRun(prepared, limits)
            : this.#dryRunOf({ ...job, settings }, limits));
          return bytesProcessed;
        },
      };
      const sliced = await this.#slicedRuns.run(texts.sliced, runner, take);
      if (sliced !== undefined) return { ...sliced, cost: sumOf(costs) };
      const earlier = [...costs];
      const run = (text: JobText, takeRows: TakeRows) =>
        runJob(prepared.queryOf(text), plan.columns, maxRows, takeRows);
      const whole = await this.#fewestRows.run(texts, run, { tools: this.#tools, settings, limits }, take);
      return { ...whole, cost: earlier.length === 0 ? whole.cost : sumOf([...earlier, whole.cost]) };
    });
    const { truncated, cost, slices } = { slices: undefined, ...end };
    const engineMs = clock.elapsed() - started;
    return { truncated, engineMs, ...(cost !== undefined && { cost }), ...(slices && { slices }) };
  }

  async estimate(request: EngineRequest): Promise<Estimate> {
    const { bytesProcessed } = await this.dryRun(request);
    return { bytesProcessed };
  }

  /** Lets BigQuery check a query and estimate its bytes. Fails like {@link run}. */
  dryRun(request: EngineRequest): Promise<DryRun> {
    return this.#bounded(request, (prepared, limits) => this.#dryRun(prepared, limits));
  }

  #dryRun({ texts, queryOf }: Prepared, limits: QueryToRun['limits']): Promise<DryRun> {
    return this.#fewestRows.inBounds(texts, (text) => this.#dryRunOf(queryOf(text), limits));
  }

  async #dryRunOf(query: JobQuery, limits: QueryToRun['limits']): Promise<DryRun> {
    const body = dryRunBody(query, newJob(this.#tools, query.settings));
    const { status, statistics } = await this.#tools.jobs.dryRun(body, limits);
    if (status?.errorResult !== undefined) throw new JobError(status.errorResult);
    const bytesProcessed = statistics?.totalBytesProcessed;
    if (bytesProcessed === undefined) throw new AnswerError('a dry run does not say what would be read');
    return { bytesProcessed, fields: statistics?.query?.schema?.fields };
  }

  dropSlices(endpoint?: string): void {
    this.#slicedRuns.drop(endpoint);
  }

  /** Ends running work, and waits for the cancellation of its jobs, up to a time limit. */
  async close(): Promise<void> {
    this.#closed.abort(new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is stopping.'));
    // Aborted work leaves its job to be cancelled.
    await Promise.allSettled(this.#inFlight);
    await this.#tools.cancels.close();
  }

  /** Runs some work until the request's deadline. Converts its errors to those for callers. */
  #bounded<T>(
    request: EngineRequest,
    work: (prepared: Prepared, limits: QueryToRun['limits']) => Promise<T>,
  ): Promise<T> {
    const done = this.#untilDeadline(request, work).finally(() => this.#inFlight.delete(done));
    this.#inFlight.add(done);
    return done;
  }

  async #untilDeadline<T>(
    request: EngineRequest,
    work: (prepared: Prepared, limits: QueryToRun['limits']) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#options;
    const { timeoutMs } = request;
    const deadline = clock.elapsed() + timeoutMs;
    const late = new AbortController();
    const timer = clock.after(timeoutMs, () => late.abort(timeIsUp(timeoutMs)));
    const signal = AbortSignal.any([request.signal, late.signal, this.#closed.signal]);
    let prepared: Prepared | undefined;
    try {
      signal.throwIfAborted();
      prepared = await this.#prepare(request);
      signal.throwIfAborted();
      if (deadline - clock.elapsed() < leastMs) throw timeIsUp(timeoutMs);
      return await work(prepared, { signal, deadline });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure(error, request, prepared);
    } finally {
      timer.cancel();
    }
  }

  async #prepare({ plan, parameters, maxRows, job, maxScanBytes }: EngineRequest): Promise<Prepared> {
    const now = BigInt(this.#options.clock.now()) * 1000n;
    const texts = await this.#options.texts.runs(plan, parameters, maxRows, now);
    const { requiredTimeOf = () => undefined } = this.#options;
    const unbounded = texts.unbounded(requiredTimeOf);
    if (unbounded !== undefined) throw boundRequired(unbounded, requiredTimeOf(unbounded) ?? '');
    const settings = effectiveSettings(this.#options.settings, job, maxScanBytes);
    const given = queryParameters(plan.parameters, parameters, texts.plain.parameters);
    return { texts, settings, queryOf: ({ sql }) => ({ sql, parameters: given, settings }) };
  }

  #failure(error: unknown, { job, maxScanBytes }: EngineRequest, prepared: Prepared | undefined): unknown {
    if (prepared === undefined) return error;
    const { maxBytesBilled } = prepared.settings;
    const failure = failureOf(error, { text: prepared.texts.plain, maxBytesBilled });
    if (failure === undefined) return error;
    if (!isFullyReported(error)) {
      const endpoint = job.endpoint.name;
      this.#options.log.warn('BigQuery did not answer a query', {
        endpoint,
        code: failure.code,
        ...errorFields(error),
      });
    }
    const isScanLimit = failure.code === 'COST_LIMIT_EXCEEDED' && maxBytesBilled === maxScanBytes;
    if (!isScanLimit || maxScanBytes === undefined) return failure;
    return new GatewayError(failure.code, failure.message, { ...failure.details, maxScanBytes });
  }
}

function boundRequired(source: string, column: string): GatewayError {
  const message = `The source "${source}" is read within bounds of its time only: the query needs a condition such as ${column} >= a time, on each row that it reads.`;
  return new GatewayError('BAD_USER_INPUT', message);
}

function timeIsUp(milliseconds: number): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', `The query timed out after ${Math.round(milliseconds)} ms.`);
}
