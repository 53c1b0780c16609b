import { type KeyPlace, placeNote } from '../../app/gateway/key-place.ts';
import { putKey, readKeys, readUses } from '../../app/gateway/stored-keys.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { type KeyOptions, OptionProblems, readKeyOptions } from '../../calls/access/key/key-options.ts';
import { type LastUses, lastUseOf, shortDigest } from '../../calls/access/key/last-uses.ts';
import { KeyRefusal, newKey, revokedKey, UnknownKey } from '../../calls/access/key/new-key.ts';
import { expiresSoon, shownKey } from '../../calls/access/key/shown-key.ts';
import { formerAt, type StoredKey, stateOf } from '../../calls/access/key/stored-key.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { exitCodes } from '../output/exit-codes.ts';
import {
  factsOf,
  instantText,
  limitsOf,
  notesOnUnknownNames,
  notesOnUnknownSources,
  optionName,
} from './restrictions.ts';

/**
 * Lists current and former keys, without anything that could be used as a key.
 *
 * @returns the exit code
 */
export async function listKeysCommand(
  place: KeyPlace,
  { out }: Output,
  options: { json?: boolean },
): Promise<number> {
  const [keys, uses] = [await readKeys(place), await readUses(place)];
  out(options.json ? json(keys, uses) : table(keys, uses));
  return 0;
}

function json(keys: readonly StoredKey[], uses: LastUses): string {
  const now = systemClock.now();
  return `${JSON.stringify(
    keys.map((key) => shownKey(key, now, uses)),
    null,
    2,
  )}\n`;
}

const heads = ['ID', 'NAME', 'SCOPES', 'ENDPOINTS', 'PROJECTS', 'LIMITS', 'EXPIRES', 'USED', 'STATE'];

function table(keys: readonly StoredKey[], uses: LastUses): string {
  const now = systemClock.now();
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.scopes.join(','),
    key.endpoints?.join(',') ?? 'any',
    key.projects?.join(',') ?? 'any',
    limitsOf(key).join(', ') || '-',
    key.expires === undefined ? 'never' : instantText(key.expires),
    usedText(lastUseOf(key, uses)),
    stateText(key, uses, now),
  ]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `${cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  return [heads, ...rows].map(line).join('');
}

/** Such as `active, expires soon; the key before, until 2026-12-02T09:00:00Z, was used 2026-12-01T09:00Z`. */
function stateText(key: StoredKey, uses: LastUses, now: number): string {
  const soon = expiresSoon(key, now) ? ', expires soon' : '';
  const former = formerAt(key, now).map(({ digest, expires }) => {
    const used = usedText(uses.get(key.id)?.get(shortDigest(digest)));
    return `; a key before, until ${instantText(expires)}, used ${used}`;
  });
  return `${stateOf(key, now)}${soon}${former.join('')}`;
}

/** To the minute. */
function usedText(time: number | undefined): string {
  return time === undefined ? 'never' : instantText(time).replace(/:00Z$/, 'Z');
}

/**
 * Creates a key and prints only the key to standard output. When it returns, every gateway that uses the store accepts
 * the key.
 *
 * @returns the exit code
 */
export async function createKeyCommand(
  place: KeyPlace & Pick<Config, 'endpointsDir' | 'sourcesDir'>,
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
    for (const each of [
      ...(await notesOnUnknownNames(place.endpointsDir, 'key', key)),
      ...(await notesOnUnknownSources(place.sourcesDir, key)),
    ])
      output.err(`${each}\n`);
    output.out(`${made.text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof OptionProblems || error instanceof KeyRefusal)) throw error;
    output.err(`${error.message}\n`);
    return error instanceof OptionProblems ? exitCodes.wrongUse : exitCodes.failure;
  }
}

function summary(key: StoredKey): string {
  const { id, name, scopes, projects, pins } = key;
  const facts = factsOf(key);
  const lines = [`The key ${JSON.stringify(name)} (${id}): ${facts.join('; ')}. It is not shown again.`];
  if (scopes.includes('write') && (projects ?? pins) !== undefined) {
    lines.push(
      'Note: the key cannot add rows, because uploaded rows cannot be restricted to projects or values.',
    );
  }
  return lines.join('\n');
}

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
