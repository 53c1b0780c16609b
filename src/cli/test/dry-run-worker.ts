import type { ConnectedEngine } from '../../app/engines/engine/engine-definition.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import { errorOutcome } from '../../tools/endpoint-tests/cases/outcome.ts';
import { givenParameters } from '../../tools/endpoint-tests/given-parameters.ts';
import type { CaseSurroundings } from './case-surroundings.ts';
import { type CaseVerdict, verdictOf } from './case-verdict.ts';
import type { ReadyCase } from './load-tests.ts';
import type { CaseWorker } from './run-tests.ts';
import { withReason } from './with-reason.ts';

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
