import { type KeyPlace, placeNote } from '../../app/gateway/key-place.ts';
import { putKey } from '../../app/gateway/stored-keys.ts';
import { systemClock } from '../../base/clock/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { type KeyOptions, OptionProblems, readKeyOptions } from '../../calls/access/key/key-options.ts';
import { KeyRefusal, newKey } from '../../calls/access/key/new-key.ts';
import type { StoredKey } from '../../calls/access/key/stored-key.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { instantText, limitsOf } from './describe-key.ts';
import { optionName } from './option-name.ts';
import { notesOnUnknownNames } from './unknown-names.ts';

/**
 * Creates a key and prints only the key to standard output. When it returns, every gateway that uses the store accepts
 * the key.
 *
 * @returns the exit code
 */
export async function createKeyCommand(
  place: KeyPlace & Pick<Config, 'endpointsDir'>,
  output: Output,
  options: KeyOptions,
): Promise<number> {
  try {
    const now = systemClock.now();
    const made = newKey(readKeyOptions(options, now, optionName), now);
    const key = await putKey(place, made.addTo);
    output.err(`${summary(key)}\n`);
    const note = placeNote(place);
    if (note !== undefined) output.err(`${note}\n`);
    for (const each of await notesOnUnknownNames(place.endpointsDir, 'key', key)) output.err(`${each}\n`);
    output.out(`${made.text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof OptionProblems || error instanceof KeyRefusal)) throw error;
    output.err(`${error.message}\n`);
    return error instanceof OptionProblems ? exitCodes.wrongUse : exitCodes.failure;
  }
}

function summary(key: StoredKey): string {
  const { id, name, scopes, endpoints, projects, pins, expires } = key;
  const facts = [
    `for ${scopes.join(', ')}`,
    endpoints === undefined ? 'any endpoint' : `the endpoints ${endpoints.join(', ')}`,
    projects === undefined ? 'any project' : `the projects ${projects.join(', ')}`,
    ...limitsOf(key),
    expires === undefined ? 'until it is revoked' : `until ${instantText(expires)}`,
  ];
  const lines = [`The key ${JSON.stringify(name)} (${id}): ${facts.join('; ')}. It is not shown again.`];
  if (scopes.includes('write') && (projects ?? pins) !== undefined) {
    lines.push(
      'Note: the key cannot add rows, because uploaded rows cannot be restricted to projects or values.',
    );
  }
  return lines.join('\n');
}
