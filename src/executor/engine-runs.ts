import type { Clock } from '../clock.ts';
import { queryTimeout, timeoutMsOf } from '../endpoints/query-timeout.ts';
import type { Cost, Engine, EngineResult } from '../engines/engine.ts';
import { GatewayError } from '../errors.ts';
import type { ByteBudgets } from './budgets/byte-budgets.ts';
import type { ExecutorCaller } from './executor.ts';
import type { Flight } from './flights.ts';
import { jobOf } from './job-of.ts';
import type { ExecutorMeter } from './meter.ts';
import type { Question } from './question.ts';
import type { RunQueue } from './run-queue.ts';

export interface EngineRunsOptions {
  readonly engine: Pick<Engine, 'run' | 'estimate' | 'readsWanted'>;
  readonly queue: RunQueue;
  readonly budgets: ByteBudgets;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
  /** Milliseconds after which a run is given up, its time in the queue included; its endpoint may have less. */
  readonly runTimeoutMs: number;
}

/**
 * Runs a question's query when its turn has come, at most for a while, and counts each run once, at its end. It runs in the
 * name of the first who waits and has budget left: the job has that caller's labels, and is on his budget.
 */
export function engineRuns({ engine, queue, budgets, clock, meter, runTimeoutMs }: EngineRunsOptions) {
  async function measured(
    question: Question,
    caller: ExecutorCaller | undefined,
    flight: Flight,
    deadline: number,
  ): Promise<EngineResult> {
    const { plan, parameters, maxRows, wanted, endpoint } = question;
    const { signal } = flight;
    const started = clock.elapsed();
    flight.engineBegan = started;
    const seconds = () => (clock.elapsed() - started) / 1000;
    try {
      const timeoutMs = Math.max(1, deadline - started);
      const job = jobOf(question, caller);
      const result = await engine.run({
        ...{ plan, parameters, maxRows, wanted, signal, timeoutMs, job },
        isKept: endpoint.cacheSeconds > 0,
      });
      budgets.charge(endpoint, caller, leastBilled(result.cost));
      meter.engineRun(endpoint.name, 'success', seconds(), result.cost);
      return result;
    } catch (error) {
      // Time that is up is a failure; that everybody has left is none.
      const isLeft = signal.aborted && !(signal.reason instanceof GatewayError);
      meter.engineRun(endpoint.name, isLeft ? 'cancelled' : 'error', seconds());
      throw error;
    } finally {
      flight.engineEnded = clock.elapsed();
    }
  }

  return async (question: Question, flight: Flight): Promise<EngineResult> => {
    const { signal, passengers } = flight;
    const timeoutMs = Math.min(runTimeoutMs, timeoutMsOf(question.endpoint));
    const [first] = passengers;
    const deadline = (first?.since ?? clock.elapsed()) + timeoutMs;
    const givenUp = Promise.withResolvers<never>();
    const timer = clock.after(Math.max(1, deadline - clock.elapsed()), () => {
      const error = queryTimeout(timeoutMs);
      flight.abort(error);
      givenUp.reject(error);
    });
    const work = async () => {
      const payer = await budgets.admit(question.endpoint, passengers);
      signal.throwIfAborted();
      return measured(question, payer?.caller, flight, deadline);
    };
    const hasPlace = passengers.values().some((passenger) => passenger.hasPlace);
    const run = queue.run(flight.isUrgent, signal, work, first?.since, hasPlace);
    try {
      // An engine may be slow to end what it was told to: nobody waits for that, but its turn is given to nobody else before.
      return await Promise.race([run, givenUp.promise]);
    } finally {
      timer.cancel();
    }
  };
}

/** Bytes that a run was billed, or at least: an engine that doesn't say it bills no less than it has read. */
function leastBilled(cost: Cost | undefined): number {
  return cost?.bytesBilled ?? cost?.bytesProcessed ?? 0;
}
