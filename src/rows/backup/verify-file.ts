import type { TableRows } from '../../engines/duckdb/store/database/held-files.ts';
import { withDatabase } from './backup-database.ts';
import type { OnStep } from './steps.ts';
import { verifyRows } from './verify-rows.ts';

interface VerifyFileOptions {
  /** The rows that the tables must have. */
  readonly rows: TableRows;
  readonly memoryLimit: string;
  readonly onStep: OnStep;
  /** Called after each slice with the part of the file that it was. Its rejection ends the verification. */
  readonly afterSlice: (part: number) => Promise<void>;
}

/**
 * Opens a file of the store's format for reading only, and verifies it: see `verifyRows`.
 *
 * @throws CommandError; errors of `afterSlice`
 */
export async function verifyFile(
  file: string,
  { rows, memoryLimit, onStep, afterSlice }: VerifyFileOptions,
): Promise<void> {
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  let verified = 0;
  onStep('verifying', 0, total);
  await withDatabase(file, { memoryLimit, isReadOnly: true }, (connection) =>
    verifyRows(connection, {
      ...{ file, rows },
      async onSlice(count) {
        verified += count;
        onStep('verifying', verified, total);
        await afterSlice(count / total);
      },
    }),
  );
}
