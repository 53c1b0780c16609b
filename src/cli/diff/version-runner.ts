import type { ConnectedEngine } from '../../app/engines/engine/engine-definition.ts';
import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import type { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { adHocQueries } from '../../calls/sandbox/ad-hoc-query.ts';
import { adHocSql } from '../../calls/sandbox/ad-hoc-sql.ts';
import { type Endpoint, timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { Engine } from '../../engines/engine/engine.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';
import type { CallSide } from '../../tools/endpoint-diff/rows/call-comparison.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-file.ts';
import { isError, type Outcome } from '../../tools/endpoint-tests/compare/judge.ts';
import { withinQueryTime } from '../engine/interruptible.ts';
import { caseOutcome, givenParameters } from '../test/case-outcome.ts';

/** A call that is made of both versions of an endpoint. */
export type VersionCall = Pick<TestCase, 'parameters' | 'query' | 'style'>;

interface RunnerParts {
  readonly planner: LocalPlanner;
  readonly checkPlan: (plan: Plan) => Promise<void>;
  readonly sources: readonly Source[];
  /** The gateway's time limit of a query in milliseconds. */
  readonly timeoutMs: number;
}

/** The answer of a version, and what reports show of it. */
export interface VersionAnswer {
  readonly outcome: Outcome;
  readonly side: CallSide;
}

/** Calls endpoints over the sources of one version, and returns what callers get. */
export class VersionRunner {
  readonly #parts: RunnerParts;
  readonly #queries: ReturnType<typeof adHocQueries>;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    const { planner, checkPlan, sources } = parts;
    const planText = adHocSql({
      planText: (text, ended) => planner.planAdHocQuery(text, ended),
      catalog: sourceCatalog(sources),
      checkPlan,
    });
    this.#queries = adHocQueries({ queries: planText, regexpMistake });
  }

  /** @throws the signal's reason; errors that are defects */
  async answer(
    engine: Engine,
    endpoint: Endpoint,
    call: VersionCall,
    signal: AbortSignal,
  ): Promise<VersionAnswer> {
    const timeoutMs = Math.min(this.#parts.timeoutMs, timeoutMsOf(endpoint));
    const started = performance.now();
    const outcome = await withinQueryTime(timeoutMs, signal, (limited) =>
      caseOutcome(endpoint, call, {
        ...{ queries: this.#queries, signal: limited },
        run: ({ given: _, ...query }) =>
          engine.run({
            ...{ ...query, signal: limited, timeoutMs },
            job: jobOf({ endpoint, parameters: query.parameters }),
          }),
      }),
    );
    signal.throwIfAborted();
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    if (isError(outcome))
      return { outcome, side: { error: `${outcome.error.code}: ${outcome.error.message}`, milliseconds } };
    const { rows, truncated } = outcome;
    return { outcome, side: { rows: rows.length, milliseconds, ...(truncated && { isTruncated: true }) } };
  }

  /** The bytes that a call would read, or why the engine can't tell. */
  async bytes(
    dryRun: NonNullable<ConnectedEngine['dryRun']>,
    endpoint: Endpoint,
    call: VersionCall,
    signal: AbortSignal,
  ): Promise<number | string> {
    try {
      const parameters = coerceParameters(endpoint, givenParameters(endpoint, call));
      const { plan, maxRows } = endpoint;
      const job = jobOf({ endpoint, parameters });
      const { timeoutMs } = this.#parts;
      return (await dryRun({ plan, parameters, maxRows, signal, timeoutMs, job })).bytesProcessed;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof GatewayError)) throw error;
      return error.cause instanceof Error ? error.cause.message : error.message;
    }
  }
}
