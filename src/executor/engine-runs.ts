import type { Clock } from '../clock.ts';
import type { Engine, EngineResult } from '../engines/engine.ts';
import { GatewayError } from '../errors.ts';
import type { Flight } from './flights.ts';
import type { ExecutorMeter } from './meter.ts';
import type { Question } from './question.ts';
import type { RunQueue } from './run-queue.ts';

export interface EngineRunsOptions {
  readonly engine: Pick<Engine, 'run'>;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
  /** Milliseconds after which a run is given up, its time in the queue included. */
  readonly runTimeoutMs: number;
}

/** Runs a question's query when its turn has come, at most for a while, and counts each run once, at its end. */
export function engineRuns({ engine, queue, clock, meter, runTimeoutMs }: EngineRunsOptions) {
  async function measured(
    { plan, parameters, maxRows, endpoint }: Question,
    flight: Flight,
  ): Promise<EngineResult> {
    const { signal } = flight;
    const started = clock.elapsed();
    const end = (outcome: 'success' | 'error' | 'cancelled') =>
      meter.engineRun(endpoint.name, outcome, (clock.elapsed() - started) / 1000);
    try {
      const job = { endpoint, labels: new Map<string, string>() };
      const result = await engine.run({ plan, parameters, maxRows, signal, timeoutMs: runTimeoutMs, job });
      end('success');
      return result;
    } catch (error) {
      // Time that is up is a failure; that everybody has left is none.
      end(signal.aborted && !(signal.reason instanceof GatewayError) ? 'cancelled' : 'error');
      throw error;
    }
  }

  return async (question: Question, flight: Flight): Promise<EngineResult> => {
    const timer = clock.after(runTimeoutMs, () => {
      flight.abort(new GatewayError('QUERY_TIMEOUT', `The query was given up after ${runTimeoutMs} ms.`));
    });
    try {
      return await queue.run(flight.isUrgent, flight.signal, () => measured(question, flight));
    } finally {
      timer.cancel();
    }
  };
}
