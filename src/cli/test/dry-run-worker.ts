import { GatewayError } from '../../base/errors/errors.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { BigQueryEngine } from '../../engines/bigquery/bigquery-engine.ts';
import { resultDrift } from '../../engines/bigquery/values/result-drift.ts';
import { errorOutcome } from '../../tools/endpoint-tests/cases/outcome.ts';
import { givenParameters } from '../../tools/endpoint-tests/given-parameters.ts';
import type { CaseSurroundings } from './case-surroundings.ts';
import { type CaseVerdict, verdictOf } from './case-verdict.ts';
import type { ReadyCase } from './load-tests.ts';
import type { CaseWorker } from './run-tests.ts';
import { withReason } from './with-reason.ts';

interface DryRunOptions extends Pick<CaseSurroundings, 'queries' | 'timeoutMs'> {
  readonly engine: Pick<BigQueryEngine, 'dryRun'>;
}

/**
 * Checks cases with BigQuery, without running anything: whether it accepts the query for the parameters of the case, and
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
    const { queries, engine, timeoutMs } = this.#options;
    try {
      const parameters = coerceParameters(endpoint, givenParameters(endpoint, test));
      const { plan } =
        test.query === undefined ? endpoint : await queries.plan(endpoint, test.query, ownAccount, signal);
      const job = jobOf({ endpoint, parameters });
      const { maxRows } = endpoint;
      const { fields = [] } = await engine.dryRun({ plan, parameters, maxRows, signal, timeoutMs, job });
      const drift = fields.length === 0 ? [] : resultDrift(plan.columns, fields);
      if (drift.length === 0 && test.expectation.error !== undefined)
        return { failures: [], skipped: 'the error does not show before the query runs' };
      return { failures: drift.map((text) => ({ key: 'expect', text: `on BigQuery, ${text}` })) };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = withReason(thrown);
      if (!(error instanceof GatewayError)) throw error;
      return verdictOf(test, errorOutcome(error));
    }
  }

  async close(): Promise<void> {}
}
