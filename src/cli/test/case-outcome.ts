import { GatewayError } from '../../base/errors/errors.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import { type JsonObject, readJsonObject } from '../../base/text/exact-json.ts';
import type { AdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import { redactedError } from '../../calls/redaction/redact-error.ts';
import { redactRows } from '../../calls/redaction/redact-result.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { givenAsJson } from '../../definitions/endpoints/parameters/read-given.ts';
import { hiddenClasses } from '../../definitions/endpoints/pii-class.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { EngineRequest, EngineResult } from '../../engines/engine/engine.ts';
import { rowRenderer } from '../../rows/formats/render/row-renderer.ts';
import { jsonText } from '../../rows/ingest/encode/json-text.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-file.ts';
import {
  errorOutcome,
  type Failure,
  isError,
  judge,
  type Outcome,
} from '../../tools/endpoint-tests/compare/judge.ts';
import type { CoveredCall } from '../../tools/endpoint-tests/coverage/coverage.ts';

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
  test: Pick<TestCase, 'parameters' | 'query' | 'style'>,
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

/** What the cases of a run share, whatever runs them. */
export interface CaseSurroundings {
  readonly sources: readonly Source[];
  readonly queries: AdHocQueries;
  /** Time limit of a query in milliseconds. Its endpoint can have a shorter one. */
  readonly timeoutMs: number;
  /** What the clock of cases shows that don't say it, in microseconds since the epoch. */
  readonly now: bigint;
}

/** How a case ended. */
export interface CaseVerdict {
  /** Empty if it passed. */
  readonly failures: readonly Failure[];
  /** Why nothing can be said about it. */
  readonly skipped?: string;
  /** The rows that were answered. */
  readonly rows?: readonly JsonObject[];
  /** What it covers of its endpoint, if its query ran. */
  readonly call?: CoveredCall;
}

/** How a case ended whose call was answered. */
export function verdictOf({ expectation }: Pick<TestCase, 'expectation'>, outcome: Outcome): CaseVerdict {
  return {
    failures: judge(expectation, outcome),
    ...(!isError(outcome) && { rows: outcome.rows }),
  };
}

/**
 * The parameters of a case, read as those in the body of a request.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function givenParameters(
  { parameters: declared }: Pick<Endpoint, 'parameters'>,
  { parameters }: Pick<TestCase, 'parameters'>,
): GivenParameters {
  return new Map(
    declared.flatMap((parameter) => {
      const value = parameters.get(parameter.name);
      return value === undefined ? [] : [[parameter.name, givenAsJson(parameter, jsonText(value))]];
    }),
  );
}
