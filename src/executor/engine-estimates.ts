import type { Clock } from '../clock.ts';
import type { Engine, Estimate } from '../engines/engine.ts';
import type { ExecutorCall } from './executor.ts';
import { jobOf } from './job-of.ts';
import { questionOf } from './question.ts';
import type { RunQueue } from './run-queue.ts';

export interface EngineEstimatesOptions {
  readonly engine: Pick<Engine, 'estimate'>;
  readonly queue: RunQueue;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly runTimeoutMs: number;
}

/** Asks the engine what calls would cost. Each takes a turn as a run does, is never shared or kept, and is on no budget. */
export function engineEstimates({ engine, queue, clock, runTimeoutMs }: EngineEstimatesOptions) {
  return (call: ExecutorCall): Promise<Estimate> => {
    const { signal, caller } = call;
    const question = questionOf(call);
    const { plan, parameters, maxRows } = question;
    const deadline = clock.elapsed() + runTimeoutMs;
    return queue.run(isUrgent, signal, () => {
      const timeoutMs = Math.max(1, deadline - clock.elapsed());
      const job = jobOf(question, caller);
      return engine.estimate({ plan, parameters, maxRows, signal, timeoutMs, job });
    });
  };
}

const isUrgent = () => true;
