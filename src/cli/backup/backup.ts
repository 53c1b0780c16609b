import { backUp } from '../../backup/back-up.ts';
import { systemClock } from '../../clock.ts';
import { CommandError, readableError } from '../../command-failures/command-error.ts';
import { UsageError } from '../../command-failures/usage-error.ts';
import { bytesOf } from '../../config/byte-size.ts';
import type { Config } from '../../config.ts';
import { megabytes } from '../../text/megabytes.ts';
import { describeRows } from '../describe-rows.ts';
import { interruptible } from '../interruptible.ts';
import { progressOn, type Terminal } from '../progress.ts';
import { stepProgress } from '../step-progress.ts';

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
    refuseBigQuery(settings);
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

/** @throws CommandError */
export function refuseBigQuery({ engine }: Pick<Config, 'engine'>): void {
  if (engine === 'duckdb') return;
  throw new CommandError(`With ENGINE=${engine}, rows are stored in BigQuery. Back them up there.`);
}
