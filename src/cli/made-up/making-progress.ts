import { collectGarbage } from '../../base/system/collect-garbage.ts';
import { progressOn } from '../output/progress.ts';
import type { SessionOutput } from './session-output.ts';

/** Microseconds since the epoch. */
export const wallClock = () => BigInt(Date.now()) * 1000n;

/**
 * Shows the progress while rows are made up and added.
 *
 * @param fill gets what to call with the number of added rows, and that of all; returns the number of added rows
 */
export async function withMakingProgress<T extends { readonly added: number }>(
  { terminal }: SessionOutput,
  fill: (onProgress: (done: number, all: number) => void) => Promise<T>,
): Promise<T> {
  const progress = progressOn(terminal, Date.now);
  let begun = false;
  try {
    const filled = await fill((done, all) => {
      if (!begun) progress.start('Making up rows', all);
      begun = true;
      progress.update(done);
    });
    progress.stop();
    // Frees hundreds of megabytes of garbage from making rows before the server starts.
    if (filled.added > 0) collectGarbage();
    return filled;
  } finally {
    progress.stop();
  }
}
