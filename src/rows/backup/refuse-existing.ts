import { CommandError } from '../../base/errors/command-error.ts';
import { exists } from '../../base/system/exists.ts';

/**
 * Refuses to replace a file.
 *
 * @param shown the file as it was given
 * @throws CommandError if the file exists
 */
export async function refuseExisting(file: string, shown: string): Promise<void> {
  if (await exists(file))
    throw new CommandError(`${shown} exists. Choose another name, or replace it with --force.`);
}
