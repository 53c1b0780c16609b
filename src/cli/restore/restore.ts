import { readableError } from '../../base/errors/command-error.ts';
import { systemClock } from '../../base/system/clock.ts';
import { plainLog } from '../../base/terminal/log.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { restore } from '../../rows/backup/restore.ts';
import type { BackupEnvironment } from '../backup/backup.ts';
import { refuseWithoutStore } from '../engine/command-store.ts';
import { interruptible } from '../engine/interruptible.ts';
import { type ChangeSettings, recordChange } from '../engine/record-change.ts';
import { describeRows, rowsBySource } from '../output/describe-rows.ts';
import { progressOn } from '../output/progress.ts';
import { stepProgress } from '../output/step-progress.ts';

/**
 * Makes the store of a backup, in a data folder that is missing or empty.
 *
 * @returns the exit code
 * @throws CommandError
 */
export function restoreCommand(
  file: string,
  settings: ChangeSettings & Pick<Config, 'duckdbMemoryLimit'>,
  { stdout, stderr }: BackupEnvironment = process,
): Promise<number> {
  return interruptible(async (signal) => {
    refuseWithoutStore(settings, 'restore');
    const { onStep, stop } = stepProgress(progressOn(stderr, () => performance.now()));
    const { dataDir, duckdbMemoryLimit: memoryLimit } = settings;
    try {
      const { rows, createdAt } = await restore(file, {
        ...{ dataDir, memoryLimit, signal, onStep },
        clock: systemClock,
      });
      stop();
      const details = { createdAt, rows: Object.fromEntries(rowsBySource(rows)) };
      const log = plainLog((text) => void stderr.write(text));
      await recordChange(settings, log, { action: 'store.restored', details });
      stdout.write(`restored ${describeRows(rows)}, as of ${createdAt}, into ${dataDir}\n`);
      return 0;
    } catch (error) {
      throw readableError(error);
    } finally {
      stop();
    }
  });
}
