import type { OnStep } from '../../rows/backup/steps.ts';
import type { Progress } from './progress.ts';

/** Shows the progress of steps that follow one another. */
export function stepProgress(progress: Progress): { readonly onStep: OnStep; stop(): void } {
  let current: string | undefined;
  return {
    onStep(step, done, total) {
      if (step !== current) {
        progress.stop();
        progress.start(step, total);
        current = step;
      }
      progress.update(done);
    },
    stop: () => progress.stop(),
  };
}
