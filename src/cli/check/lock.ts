import { isUtf8 } from 'node:buffer';
import { lstat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { engineOf, isStored } from '../../app/engines/registry.ts';
import { checkEndpoints } from '../../app/schema/load-schema.ts';
import type { Problem } from '../../base/errors/problem.ts';
import {
  fileFailure,
  isFileFailure,
  isNoFile,
  readWrittenFile,
} from '../../base/system/read-written-file.ts';
import { replaceText } from '../../base/system/replace-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { LoadedEndpoints } from '../../definitions/endpoints/load-endpoints.ts';
import { type LockChange, lockChanges } from '../../definitions/lock/lock-changes.ts';
import { byNameAndVersion, type LockLine, lockText, readLock } from '../../definitions/lock/lock-text.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { loadSources } from '../../definitions/sources/load-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import type { SchemaSettings } from '../schema/schema.ts';

/** What a check does with the lock file. */
export interface LockOptions {
  /** Whether to fail instead of writing. */
  readonly locked?: boolean;
  /** Whether to make the file if there is none. */
  readonly writeLock?: boolean;
  /** Whether to write changes that break clients, too. */
  readonly acceptBreaking?: boolean;
}

/** What a check found in the lock file. */
export interface LockReport {
  readonly file: string;
  /** `blocked` if it was not written because of errors or breaking changes. */
  readonly outcome: 'current' | 'written' | 'outdated' | 'blocked';
  readonly changes: readonly LockChange[];
  /** The errors in it, and the changes that break clients. */
  readonly problems: readonly Problem[];
}

/** The lock file of a folder of endpoints: `schema/endpoints.lock`. */
function lockFileOf({ endpointsDir }: Pick<Config, 'endpointsDir'>): string {
  return `${path.resolve(endpointsDir)}.lock`;
}

/**
 * Compares endpoints with the lock file beside their folder, and writes what has changed. Without a file, nothing is required:
 * undefined.
 *
 * @param load loads the endpoints over the sources as their files declare them: fields that rows have added differ between stores
 */
export async function checkLock(
  config: Pick<Config, 'endpointsDir'>,
  load: () => Promise<Pick<LoadedEndpoints, 'endpoints' | 'places' | 'problems'>>,
  { locked = false, writeLock = false, acceptBreaking = false }: LockOptions,
): Promise<LockReport | undefined> {
  const location = lockFileOf(config);
  const file = shownFile(location);
  const problemOf = (text: string): Problem => ({ file, line: 1, column: 1, text });
  const blocked = (problems: readonly Problem[]): LockReport => ({
    ...{ file, outcome: 'blocked', changes: [], problems },
  });
  const text = await readText(location);
  if (typeof text === 'object') return blocked([problemOf(text.failure)]);
  if (text === undefined && locked) {
    return blocked([problemOf('There is no such file: `endpoint-gateway check --write-lock` makes it')]);
  }
  if (text === undefined && !writeLock) return undefined;
  const { lines, problems } = readLock(file, text ?? '');
  if (problems.length > 0) return blocked(problems);
  const loaded = await load();
  if (loaded.problems.length > 0) return blocked(loaded.problems);
  const { endpoints, places } = loaded;
  const { changes, breaking, versions } = lockChanges(endpoints, { file, lines }, places);
  if (text !== undefined && changes.length === 0 && isSorted(lines))
    return { file, outcome: 'current', changes, problems: [] };
  if (breaking.length > 0 && !acceptBreaking)
    return { file, outcome: 'blocked', changes, problems: breaking };
  if (locked) {
    const outdated = problemOf('It is not up to date: run `endpoint-gateway check`, and commit it');
    return { file, outcome: 'outdated', changes, problems: [outdated] };
  }
  const failure = await written(location, lockText(versions), text === undefined);
  if (failure !== undefined) return { file, outcome: 'blocked', changes, problems: [problemOf(failure)] };
  return { file, outcome: 'written', changes, problems: [] };
}

/** The text of the file; undefined if there is none. */
async function readText(location: string): Promise<string | undefined | { readonly failure: string }> {
  try {
    const bytes = await readWrittenFile(location);
    return isUtf8(bytes) ? bytes.toString() : { failure: 'It is not valid UTF-8' };
  } catch (error) {
    if (isNoFile(error)) return undefined;
    if (!isFileFailure(error)) throw error;
    return { failure: `It can't be read (${fileFailure(error)})` };
  }
}

/** Writes the file. Returns why it can't be written. */
async function written(location: string, text: string, isNew: boolean): Promise<string | undefined> {
  try {
    if (isNew) await writeFile(location, text, { flag: 'wx' });
    // A project from a stranger may have one to a file outside.
    else if ((await lstat(location)).isSymbolicLink()) return "It can't be written (it is a symbolic link)";
    else await replaceText(location, text);
    return undefined;
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    return `It can't be written (${fileFailure(error)})`;
  }
}

function isSorted(lines: readonly LockLine[]): boolean {
  return lines.every(({ locked }, index) => {
    const next = lines[index + 1]?.locked;
    return next === undefined || byNameAndVersion(locked, next) < 0;
  });
}

/**
 * Loads endpoints over the sources as their files declare them.
 *
 * @param sources those with the fields that rows have added
 * @param loaded the endpoints over these
 */
export async function loadDeclared(
  config: Pick<Config, 'endpointsDir' | 'sourcesDir' | 'engine' | 'dataRetentionDays'>,
  planner: Pick<Planner, 'planText'>,
  sources: readonly Source[],
  loaded: LoadedEndpoints,
): Promise<LoadedEndpoints> {
  const { sources: declared } = await loadSources(config.sourcesDir, { isStored: isStored(config) });
  if (isDeepStrictEqual(declared, sources)) return loaded;
  return checkEndpoints(config, planner, declared, engineOf(config).checkPlan);
}

/**
 * Makes the lock file of endpoints, unless there is one.
 *
 * @throws AnalyzerUnavailableError
 */
export async function makeLock(config: SchemaSettings): Promise<LockReport | undefined> {
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    const planner = new LocalPlanner(analyzer);
    const { sources } = await loadSources(config.sourcesDir, { isStored: isStored(config) });
    const load = () => checkEndpoints(config, planner, sources, engineOf(config).checkPlan);
    return await checkLock(config, load, { writeLock: true });
  } finally {
    await analyzer.close();
  }
}

/** The change in words, such as `added orders.by-day, version 2`. */
export function lockChangeText({ endpoint, version, kind }: LockChange): string {
  return `${kind} ${endpoint}, version ${version}`;
}
