import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../base/errors/problem.ts';
import type { Endpoint, EndpointPlaces } from '../endpoints/endpoint.ts';
import { versionsOf } from '../endpoints/versions.ts';
import { breakingChanges } from './breaking-changes.ts';
import type { LockLine } from './lock-text.ts';
import { type LockedVersion, lockedVersionOf } from './locked-version.ts';

/** A version whose line is not that of the lock file. */
export interface LockChange {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly version: number;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** What a lock file lacks. */
export interface LockComparison {
  readonly changes: readonly LockChange[];
  /** The changes that break clients, at the places where they are made. */
  readonly breaking: readonly Problem[];
  /** All lines as they are to be. */
  readonly versions: readonly LockedVersion[];
}

/** Compares endpoints with their lock file. */
export function lockChanges(
  endpoints: readonly Endpoint[],
  { file, lines }: { readonly file: string; readonly lines: readonly LockLine[] },
  places: EndpointPlaces,
): LockComparison {
  const locked = new Map(lines.map((each) => [keyOf(each.locked.name, each.locked.version), each.locked]));
  const changes: LockChange[] = [];
  const breaking: Problem[] = [];
  const versions: LockedVersion[] = [];
  for (const newest of endpoints) {
    const report = (endpoint: Endpoint, text: string) =>
      breaking.push({ file: endpoint.file, ...places.locate(endpoint, ['version']), text });
    const highest = Math.max(
      ...lines.filter(({ locked: { name } }) => name === newest.name).map(({ locked }) => locked.version),
    );
    if (newest.number < highest)
      report(newest, `Breaking change: this is version ${newest.number}, and was ${highest}`);
    for (const endpoint of versionsOf(newest)) {
      const { name, number: version } = endpoint;
      const now = lockedVersionOf(endpoint);
      versions.push(now);
      const before = locked.get(keyOf(name, version));
      const isSame = before !== undefined && isDeepStrictEqual(before, now);
      if (!isSame)
        changes.push({ endpoint: name, version, kind: before === undefined ? 'added' : 'changed' });
      if (before === undefined) continue;
      for (const text of breakingChanges(before, now))
        report(endpoint, `Breaking change of version ${version}: ${text}`);
    }
  }
  const names = new Set(endpoints.map(({ name }) => name));
  const there = new Set(versions.map(({ name, version }) => keyOf(name, version)));
  for (const {
    locked: { name, version },
    line,
  } of lines) {
    if (there.has(keyOf(name, version))) continue;
    changes.push({ endpoint: name, version, kind: 'removed' });
    if (names.has(name)) continue;
    // Once for all of its versions.
    names.add(name);
    breaking.push({
      file,
      line,
      column: 1,
      text: `Breaking change: there is no endpoint "${name}" any more`,
    });
  }
  return { changes, breaking, versions };
}

function keyOf(name: string, version: number): string {
  return JSON.stringify([name, version]);
}
