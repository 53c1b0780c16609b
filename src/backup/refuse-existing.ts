import { stat } from 'node:fs/promises';
import { BackupError } from './backup-error.ts';

/**
 * @param shown the file as it was given
 * @throws BackupError
 */
export async function refuseExisting(file: string, shown: string): Promise<void> {
  if (await exists(file))
    throw new BackupError(`${shown} exists. Choose another name, or replace it with --force.`);
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
