import { GatewayError } from '../../base/errors/errors.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import { readJsonObject } from '../../base/text/exact-json.ts';
import type { AdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import { redactedError } from '../../calls/redaction/redact-error.ts';
import { redactRows } from '../../calls/redaction/redact-result.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/given.ts';
import { hiddenClasses } from '../../definitions/endpoints/pii-class.ts';
import type { EngineRequest, EngineResult } from '../../engines/engine/engine.ts';
import { rowRenderer } from '../../rows/formats/render/row-renderer.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import { errorOutcome, type Outcome } from '../../tools/endpoint-tests/cases/outcome.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-case.ts';
import { givenParameters } from '../../tools/endpoint-tests/given-parameters.ts';

/** A query of a case. */
export interface CaseQuery extends Pick<EngineRequest, 'plan' | 'parameters' | 'maxRows'> {
  /** The parameters as the call gives them. */
  readonly given: GivenParameters;
}

type Run = (query: CaseQuery) => Promise<Pick<EngineResult, 'rows' | 'columns' | 'truncated'>>;

/**
 * Calls an endpoint as a case does, and returns what callers get.
 *
 * @param run is not called if the call is refused before its query runs
 * @throws errors that are defects
 */
export async function caseOutcome(
  endpoint: Endpoint,
  test: TestCase,
  {
    queries,
    run,
    signal,
  }: { readonly queries: AdHocQueries; readonly run: Run; readonly signal: AbortSignal },
): Promise<Outcome> {
  const hidden = hiddenClasses(endpoint, false);
  try {
    const given = givenParameters(endpoint, test);
    const parameters = coerceParameters(endpoint, given);
    const { plan } =
      test.query === undefined ? endpoint : await queries.plan(endpoint, test.query, ownAccount, signal);
    const { maxRows } = endpoint;
    const { rows, columns, truncated } = await run({ plan, parameters, maxRows, given });
    const shown = await redactRows(await rows.all(), columns, hidden, signal);
    const render = rowRenderer(columns, test.style);
    return {
      columns: columnNames(columns),
      rows: shown.map((row) => readJsonObject(render(row))),
      truncated,
    };
  } catch (thrown) {
    const error = redactedError(thrown, hidden);
    if (!(error instanceof GatewayError)) throw error;
    return errorOutcome(error);
  }
}
