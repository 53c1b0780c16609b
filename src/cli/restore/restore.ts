import { restore } from '../../backup/restore.ts';
import { systemClock } from '../../clock.ts';
import { readableError } from '../../command-failures/command-error.ts';
import type { Config } from '../../config.ts';
import { type BackupEnvironment, refuseBigQuery } from '../backup/backup.ts';
import { describeRows } from '../describe-rows.ts';
import { interruptible } from '../interruptible.ts';
import { progressOn } from '../progress.ts';
import { stepProgress } from '../step-progress.ts';

/**
 * Makes the store of a backup, in a data folder that is missing or empty.
 *
 * @returns the exit code
 * @throws CommandError
 */
export function restoreCommand(
  file: string,
  settings: Pick<Config, 'engine' | 'dataDir' | 'duckdbMemoryLimit'>,
  { stdout, stderr }: BackupEnvironment = process,
): Promise<number> {
  return interruptible(async (signal) => {
    refuseBigQuery(settings);
    const { onStep, stop } = stepProgress(progressOn(stderr, () => performance.now()));
    const { dataDir, duckdbMemoryLimit: memoryLimit } = settings;
    try {
      const { rows, createdAt } = await restore(file, {
        ...{ dataDir, memoryLimit, signal, onStep },
        clock: systemClock,
      });
      stop();
      stdout.write(`restored ${describeRows(rows)}, as of ${createdAt}, into ${dataDir}\n`);
      return 0;
    } catch (error) {
      throw readableError(error);
    } finally {
      stop();
    }
  });
}
