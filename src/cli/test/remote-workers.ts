import type { ConnectedEngine } from '../../app/engines/engine/engine-definition.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import { isFullyReported } from '../../engines/bigquery/jobs/failures.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { errorOutcome } from '../../tools/endpoint-tests/compare/judge.ts';
import {
  type CaseSurroundings,
  type CaseVerdict,
  caseOutcome,
  givenParameters,
  verdictOf,
} from './case-outcome.ts';
import type { ReadyCase } from './load-tests.ts';
import { RowConstants } from './row-constants.ts';
import type { CaseWorker } from './run-tests.ts';

interface WorkerOptions extends CaseSurroundings {
  readonly overRows: NonNullable<ConnectedEngine['overRows']>;
  readonly analyzer: Analyzer;
}

/** In bytes: https://docs.cloud.google.com/bigquery/quotas#query_jobs */
const maxTextBytes = 1_000_000;

/** Runs cases on an engine whose rows are elsewhere, one at a time. Their rows and the time are constants in the text, so that no table is read or written. */
export class ConstantsWorker implements CaseWorker {
  readonly #options: WorkerOptions;
  readonly #constants: RowConstants;

  private constructor(options: WorkerOptions, constants: RowConstants) {
    this.#options = options;
    this.#constants = constants;
  }

  static async open(options: WorkerOptions): Promise<ConstantsWorker> {
    return new ConstantsWorker(options, await RowConstants.open(options.sources, options.analyzer));
  }

  async run(
    endpoint: Endpoint,
    { test, rows }: ReadyCase,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<CaseVerdict> {
    const { queries, now, overRows, analyzer } = this.#options;
    const refusal = RowConstants.refusal(rows);
    if (refusal !== undefined) return { failures: [{ key: 'rows', text: refusal }] };
    const constants = await this.#constants.of(rows, signal);
    const bytes = rows.reduce((sum, { source }) => sum + Buffer.byteLength(constants(source.name)), 0);
    if (bytes > maxTextBytes)
      return {
        failures: [
          {
            key: 'rows',
            text: `the rows have ${megabytes(bytes)} as text, and a BigQuery query can have at most ${megabytes(maxTextBytes)}`,
          },
        ],
      };
    const timeoutMs = Math.min(this.#options.timeoutMs, timeoutMsOf(endpoint));
    const engine = overRows(analyzer, { rowsSql: constants, now: test.now ?? now });
    try {
      const outcome = await caseOutcome(endpoint, test, {
        ...{ queries, signal },
        run: async ({ given: _, ...query }) => {
          const job = jobOf({ endpoint, parameters: query.parameters });
          try {
            return await engine.run({ ...query, signal, timeoutMs, job });
          } catch (error) {
            throw withReason(error);
          }
        },
      });
      return verdictOf(test, outcome);
    } finally {
      await engine.close();
    }
  }

  async close(): Promise<void> {
    await this.#constants[Symbol.asyncDispose]();
  }
}

interface DryRunOptions extends Pick<CaseSurroundings, 'queries' | 'timeoutMs'> {
  readonly dryRun: NonNullable<ConnectedEngine['dryRun']>;
}

/**
 * Checks cases with the engine, without running anything: whether it accepts the query for the parameters of the case, and
 * whether the result would have the expected types.
 */
export class DryRunWorker implements CaseWorker {
  readonly #options: DryRunOptions;

  constructor(options: DryRunOptions) {
    this.#options = options;
  }

  async run(
    endpoint: Endpoint,
    { test }: ReadyCase,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<CaseVerdict> {
    const { queries, dryRun, timeoutMs } = this.#options;
    try {
      const parameters = coerceParameters(endpoint, givenParameters(endpoint, test));
      const { plan } =
        test.query === undefined ? endpoint : await queries.plan(endpoint, test.query, ownAccount, signal);
      const job = jobOf({ endpoint, parameters });
      const { maxRows } = endpoint;
      const { drift } = await dryRun({ plan, parameters, maxRows, signal, timeoutMs, job });
      if (drift.length === 0 && test.expectation.error !== undefined)
        return { failures: [], skipped: 'the error does not show before the query runs' };
      return { failures: drift.map((text) => ({ key: 'expect', text })) };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = withReason(thrown);
      if (!(error instanceof GatewayError)) throw error;
      return verdictOf(test, errorOutcome(error));
    }
  }

  async close(): Promise<void> {}
}

/**
 * An error with BigQuery's own message, for authors of tests. Callers may not see it, because it can name projects, tables and
 * credentials. An error that callers see completely, such as a mistake in the query, keeps the message that they get.
 */
function withReason(error: unknown): unknown {
  if (!(error instanceof GatewayError) || !(error.cause instanceof Error)) return error;
  if (isFullyReported(error.cause)) return error;
  return new GatewayError(error.code, error.cause.message, { cause: error.cause });
}
