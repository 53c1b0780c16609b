import { createHash } from 'node:crypto';
import { never } from '../../base/async/race-with-abort.ts';
import { ProcessEndedError } from '../../base/processes/supervised.ts';
import type { Clock } from '../../base/system/clock.ts';
import { collectYoungGarbage } from '../../base/system/collect-garbage.ts';
import type {
  Engine,
  EngineRequest,
  EngineResult,
  Estimate,
  StreamEnd,
  TakeColumns,
} from '../../engines/engine/engine.ts';
import type { QueryProfile } from '../../engines/engine/profile.ts';
import { packedRows } from '../../engines/rows/result-rows.ts';
import { UnknownPlanError } from '../../engines/wire/packed-error.ts';
import { unpackBatch } from '../../sql/columns/packed-batch.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { EngineSession } from './engine-session.ts';
import type { PlannedRun } from './protocol.ts';
import { type SupervisedEngine, unavailable } from './supervised-engine.ts';

/**
 * Bytes of columns after which their memory is freed. V8 counts it, and would soon collect all garbage because of it,
 * again and again: that takes longer than everything else in an export (measured).
 */
const collectAfterBytes = 2_000_000;

/** Runs queries in the engine process. */
export class EngineClient implements Engine {
  readonly name = 'duckdb';
  readonly readsWanted = true;
  readonly usesAllProcessors = true;
  readonly #process: SupervisedEngine;
  readonly #clock: Pick<Clock, 'elapsed'>;

  constructor(process: SupervisedEngine, clock: Pick<Clock, 'elapsed'>) {
    this.#process = process;
    this.#clock = clock;
  }

  /** Preparation is a single step of the process and can't be cancelled. */
  prepare(plan: Plan): Promise<void> {
    return this.#process.repeatably(plan.id, never, (session) => prepareIn(session, plan, never));
  }

  run(request: EngineRequest): Promise<EngineResult> {
    const { plan, isCacheable, timeoutMs } = request;
    const endsAt = this.#clock.elapsed() + timeoutMs;
    return this.#process.repeatably(keyOf(request), request.signal, (session, signal) =>
      withPlan(session, request, signal, async (query) => {
        const left = Math.max(1, endsAt - this.#clock.elapsed());
        const form = isCacheable ? 'zstd' : 'plain';
        let pieces: Buffer[] = [];
        const { count, ...end } = await session.calls.run({ ...query, timeoutMs: left, form }, (chunk) => {
          if (chunk.length === 0) pieces = [];
          else pieces.push(Buffer.from(chunk));
        });
        return { columns: plan.columns, rows: packedRows(pieces, count), ...end };
      }),
    );
  }

  /** A run that has given rows can't be repeated when the process ends. */
  stream(request: EngineRequest, take: TakeColumns): Promise<StreamEnd> {
    let hasTaken = false;
    let consumed = 0;
    const taking = async (chunk: Uint8Array) => {
      hasTaken = true;
      await take(unpackBatch(chunk));
      consumed += chunk.length;
      if (consumed < collectAfterBytes) return;
      consumed = 0;
      collectYoungGarbage();
    };
    return this.#process.repeatably(keyOf(request), request.signal, (session, signal) =>
      withPlan(session, request, signal, (query) => session.calls.stream(query, taking)).catch((error) => {
        throw hasTaken && error instanceof ProcessEndedError ? unavailable(error) : error;
      }),
    );
  }

  estimate(request: EngineRequest): Promise<Estimate> {
    return this.#process.repeatably(keyOf(request), request.signal, (session, signal) =>
      withPlan(session, request, signal, (query) => session.calls.estimate(query)),
    );
  }

  profile(request: EngineRequest): Promise<QueryProfile> {
    return this.#process.repeatably(keyOf(request), request.signal, (session, signal) =>
      withPlan(session, request, signal, (query) => session.calls.profile(query)),
    );
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

async function prepareIn(session: EngineSession, plan: Plan, signal: AbortSignal): Promise<void> {
  await session.calls.prepare(plan.packed, signal);
  session.plans.add(plan.id);
}

/** Runs a query once the process has its plan. */
async function withPlan<Result>(
  session: EngineSession,
  { plan, parameters, maxRows, wanted, timeoutMs, maxScanBytes, account }: EngineRequest,
  signal: AbortSignal,
  run: (query: PlannedRun) => Promise<Result>,
): Promise<Result> {
  const query = { planId: plan.id, parameters, maxRows, wanted, timeoutMs, maxScanBytes, account, signal };
  for (;;) {
    if (!session.plans.has(plan.id)) await prepareIn(session, plan, signal);
    try {
      return await run(query);
    } catch (error) {
      if (!(error instanceof UnknownPlanError)) throw error;
      session.plans.delete(plan.id);
    }
  }
}

/** Equal for runs of the same plan, parameters and row limit. */
function keyOf({ plan, parameters, maxRows }: EngineRequest): string {
  const hash = createHash('sha256').update(plan.id).update(String(maxRows));
  for (const [name, value] of parameters)
    hash.update(
      `${JSON.stringify(name)}:${JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))}`,
    );
  return hash.digest('base64url');
}
