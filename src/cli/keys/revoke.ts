import { type KeyPlace, placeNote } from '../../app/gateway/key-place.ts';
import { putKey } from '../../app/gateway/stored-keys.ts';
import { systemClock } from '../../base/clock/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { revokedKey, UnknownKey } from '../../calls/access/key/new-key.ts';
import { instantText } from './describe-key.ts';

/**
 * Revokes a key by its id or name. When it returns, no gateway that uses the store accepts it any more.
 *
 * @returns the exit code
 */
export async function revokeKeyCommand(
  place: KeyPlace,
  { out, err }: Output,
  named: string,
): Promise<number> {
  const now = systemClock.now();
  try {
    const { id, name, revoked = now } = await putKey(place, (keys) => revokedKey(keys, named, now));
    const when = revoked === now ? 'is revoked' : `was already revoked at ${instantText(revoked)}`;
    out(`The key ${JSON.stringify(name)} (${id}) ${when}\n`);
    const note = placeNote(place);
    if (note !== undefined) err(`${note}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UnknownKey)) throw error;
    err(`${error.message} Run npx endpoint-gateway keys list to see all keys.\n`);
    return 1;
  }
}
