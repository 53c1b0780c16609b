import { readableError, UsageError } from '../../base/errors/command-error.ts';
import { bytesOf, megabytes } from '../../base/forms/bytes.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { backUp } from '../../rows/backup/back-up.ts';
import { refuseWithoutStore } from '../engine/command-store.ts';
import { interruptible } from '../engine/interruptible.ts';
import { describeRows } from '../output/describe-rows.ts';
import { progressOn, type Terminal } from '../output/progress.ts';
import { stepProgress } from '../output/step-progress.ts';

export interface BackupOptions {
  readonly force?: boolean | undefined;
  /** Bytes per second, such as `50MB/s`. */
  readonly rate?: string | undefined;
}

/** What these commands need of the process. */
export interface BackupEnvironment {
  readonly stdout: Pick<Terminal, 'write'>;
  readonly stderr: Terminal;
}

/** The rate without `--rate`: queries on two cores don't notice it (measured). */
const defaultRate = '50MB/s';

/**
 * Backs the store up while a gateway may use it. Writes the result to standard output, progress to standard error.
 *
 * @returns the exit code
 * @throws CommandError, StoreError, GatewayError
 */
export function backupCommand(
  file: string,
  { force = false, rate = defaultRate }: BackupOptions,
  settings: Pick<Config, 'engine' | 'dataDir' | 'duckdbMemoryLimit' | 'duckdbThreads'>,
  { stdout, stderr }: BackupEnvironment = process,
): Promise<number> {
  return interruptible(async (signal) => {
    const bytesPerSecond = bytesOf(rate.replace(/\/s$/, ''));
    if (bytesPerSecond === undefined || bytesPerSecond === 0)
      throw new UsageError(`--rate ${rate}: expected a number of bytes per second, such as 50MB/s or 1GB/s`);
    refuseWithoutStore(settings, 'back up');
    const { onStep, stop } = stepProgress(progressOn(stderr, () => performance.now()));
    const { dataDir, duckdbMemoryLimit: memoryLimit, duckdbThreads: threads } = settings;
    try {
      const { rows, bytes } = await backUp(file, {
        ...{ dataDir, memoryLimit, threads, force, bytesPerSecond, signal, onStep },
        clock: systemClock,
      });
      stop();
      stdout.write(`backed up ${describeRows(rows)} to ${file} (${megabytes(bytes)})\n`);
      return 0;
    } catch (error) {
      throw readableError(error);
    } finally {
      stop();
    }
  });
}
