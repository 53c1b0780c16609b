import type { ConnectedEngine } from '../../app/engines/engine/engine-definition.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { timeoutMsOf } from '../../definitions/endpoints/query-timeout.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { caseOutcome } from './case-outcome.ts';
import type { CaseSurroundings } from './case-surroundings.ts';
import { type CaseVerdict, verdictOf } from './case-verdict.ts';
import type { ReadyCase } from './load-tests.ts';
import { RowConstants } from './row-constants.ts';
import type { CaseWorker } from './run-tests.ts';
import { withReason } from './with-reason.ts';

interface WorkerOptions extends CaseSurroundings {
  readonly overRows: NonNullable<ConnectedEngine['overRows']>;
  readonly analyzer: Analyzer;
}

/** In bytes: https://docs.cloud.google.com/bigquery/quotas#query_jobs */
const longestText = 1_000_000;

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
    if (bytes > longestText)
      return {
        failures: [
          {
            key: 'rows',
            text: `the rows have ${megabytes(bytes)} as text, and BigQuery's queries at most ${megabytes(longestText)}`,
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
