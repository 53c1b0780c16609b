import type { KeyPlace } from '../../app/gateway/key-place.ts';
import { readKeys } from '../../app/gateway/stored-keys.ts';
import { systemClock } from '../../base/clock/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { type StoredKey, shownKey, stateOf } from '../../calls/access/key/stored-key.ts';
import { instantText, limitsOf } from './describe-key.ts';

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
  const keys = await readKeys(place);
  out(options.json ? json(keys) : table(keys));
  return 0;
}

function json(keys: readonly StoredKey[]): string {
  const now = systemClock.now();
  return `${JSON.stringify(
    keys.map((key) => shownKey(key, now)),
    null,
    2,
  )}\n`;
}

const heads = ['ID', 'NAME', 'SCOPES', 'ENDPOINTS', 'PROJECTS', 'LIMITS', 'EXPIRES', 'STATE'];

function table(keys: readonly StoredKey[]): string {
  const now = systemClock.now();
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.scopes.join(','),
    key.endpoints?.join(',') ?? 'any',
    key.projects?.join(',') ?? 'any',
    limitsOf(key).join(', ') || '-',
    key.expires === undefined ? 'never' : instantText(key.expires),
    stateOf(key, now),
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
