import type { Estimate } from '../engines/engine.ts';
import type { EngineRunsOptions } from './engine-runs.ts';
import type { ExecutorCall } from './executor.ts';
import { jobOf } from './job-of.ts';
import { questionOf } from './question.ts';

type EngineEstimatesOptions = Pick<EngineRunsOptions, 'engine' | 'queue' | 'clock' | 'runTimeoutMs'>;

/** Asks the engine what calls would cost. Each takes a turn as a run does, is never shared or kept, and is on no budget. */
export function engineEstimates({ engine, queue, clock, runTimeoutMs }: EngineEstimatesOptions) {
  return (call: ExecutorCall): Promise<Estimate> => {
    const { signal, caller, query } = call;
    const question = questionOf(call);
    const { plan, parameters, maxRows } = question;
    const deadline = clock.elapsed() + runTimeoutMs;
    const work = () => {
      const timeoutMs = Math.max(1, deadline - clock.elapsed());
      const job = jobOf(question, caller);
      return engine.estimate({ plan, parameters, maxRows, signal, timeoutMs, job });
    };
    return queue.run(isUrgent, signal, work, query?.since, query?.since !== undefined);
  };
}

const isUrgent = () => true;
