import { type KeyPlace, placeNote } from '../../app/gateway/key-place.ts';
import { putKey } from '../../app/gateway/stored-keys.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { OptionProblems } from '../../calls/access/key/key-options.ts';
import { KeyRefusal } from '../../calls/access/key/new-key.ts';
import { type RotationOptions, readRotation, rotatedKey } from '../../calls/access/key/rotation.ts';
import type { StoredKey } from '../../calls/access/key/stored-key.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { factsOf, instantText, optionName } from './restrictions.ts';

/**
 * Replaces a key by a new one, and prints only the new one to standard output. When it returns, every gateway that uses the store
 * accepts it.
 *
 * @returns the exit code
 */
export async function rotateKeyCommand(
  place: KeyPlace,
  output: Output,
  named: string,
  options: RotationOptions,
): Promise<number> {
  const now = systemClock.now();
  try {
    const made = rotatedKey(readRotation(options, now, optionName), now);
    const key = await putKey(place, (keys) => made.applyTo(keys, named));
    output.err(`${summary(key)}\n`);
    const note = placeNote(place);
    if (note !== undefined) output.err(`${note}\n`);
    output.out(`${made.text}\n`);
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof OptionProblems || error instanceof KeyRefusal)) throw error;
    output.err(`${error.message}\n`);
    return error instanceof OptionProblems ? exitCodes.wrongUse : exitCodes.failure;
  }
}

function summary(key: StoredKey): string {
  const ends = (key.former ?? []).map(({ expires }) => instantText(expires));
  const before =
    ends.length === 0 ? 'All keys before it have ended' : `Keys before it are valid until ${ends.join(', ')}`;
  return `The new key ${JSON.stringify(key.name)} (${key.id}): ${factsOf(key).join('; ')}. It is not shown again.\n${before}.`;
}
