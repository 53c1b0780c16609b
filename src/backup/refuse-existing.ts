import { exists } from '../system/exists.ts';
import { BackupError } from './backup-error.ts';

/**
 * Refuses to replace a file.
 *
 * @param shown the file as it was given
 * @throws BackupError if the file exists
 */
export async function refuseExisting(file: string, shown: string): Promise<void> {
  if (await exists(file))
    throw new BackupError(`${shown} exists. Choose another name, or replace it with --force.`);
}
