import { join } from 'node:path';
import { readWrittenFile } from '../../base/system/read-written-file.ts';
import { counted } from '../../base/text/counted.ts';
import type { NameOption } from '../../calls/access/key/key-options.ts';
import type { StoredKey } from '../../calls/access/key/stored-key.ts';
import type { EndpointSettings } from '../../definitions/endpoints/settings.ts';
import { endpointFileNames, readSettingsComment } from '../../definitions/endpoints/settings-comment.ts';
import { loadSources } from '../../definitions/sources/load-sources.ts';
import { sourceByName } from '../../definitions/sources/source.ts';

/**
 * Notes about the names in restrictions that no endpoint or parameter in the folder has. Empty if the endpoints can't be
 * read: the folder may be elsewhere, and endpoints change.
 *
 * @param called the bearer of the restrictions, such as `key`
 */
export async function notesOnUnknownNames(
  folder: string,
  called: string,
  { endpoints = [], pins = [] }: Pick<StoredKey, 'endpoints' | 'pins'>,
): Promise<readonly string[]> {
  const settings = await settingsIn(folder);
  if (settings === undefined) return [];
  const names = new Set(settings.flatMap(({ id, name }) => [id.toLowerCase(), name]));
  const parameters = new Set(settings.flatMap((each) => Object.keys(each.parameters)));
  return [
    ...endpoints
      .filter((each) => !names.has(each))
      .map((each) => `Note: ${folder} has no endpoint ${JSON.stringify(each)} yet.`),
    ...pins
      .filter(({ parameter }) => !parameters.has(parameter))
      .map(
        ({ parameter }) =>
          `Note: no endpoint in ${folder} has the parameter ${JSON.stringify(parameter)} yet, so the ${called} can't call any.`,
      ),
  ];
}

/** Notes about the sources in a restriction that the folder doesn't have. Empty if its files have errors: some may have the names. */
export async function notesOnUnknownSources(
  folder: string,
  { sources: named = [] }: Pick<StoredKey, 'sources'>,
): Promise<readonly string[]> {
  if (named.length === 0) return [];
  const { sources, problems } = await loadSources(folder, { isStored: false });
  if (problems.length > 0) return [];
  return named
    .filter((name) => sourceByName(sources, name) === undefined)
    .map((name) => `Note: ${folder} has no source ${JSON.stringify(name)} yet.`);
}

/** The settings of all endpoints. Undefined if some can't be read. */
async function settingsIn(folder: string): Promise<readonly EndpointSettings[] | undefined> {
  try {
    const files = await endpointFileNames(folder);
    const settings = await Promise.all(
      files.map(
        async (file) =>
          readSettingsComment(file, (await readWrittenFile(join(folder, file))).toString()).settings,
      ),
    );
    return settings.every((each) => each !== undefined) ? settings : undefined;
  } catch {
    return undefined;
  }
}

/** A key's restrictions and rate limits in words. Empty if it has none. */
export function limitsOf(key: StoredKey): string[] {
  const { pins = [], sources, redact, rate, bytesPerDay, maxScanBytes, allow = [], whenSpent } = key;
  return [
    ...(sources === undefined ? [] : [`writes to ${sources.join(', ')} only`]),
    ...pins.map(({ parameter, value }) => `${parameter}=${JSON.stringify(value)}`),
    ...(redact ? ['redacted'] : []),
    ...(rate === undefined ? [] : [rate]),
    ...(bytesPerDay === undefined ? [] : [`${counted(bytesPerDay, 'byte')} a day`]),
    ...allow,
    ...(whenSpent === undefined ? [] : [`${whenSpent} when spent`]),
    ...(maxScanBytes === undefined ? [] : [`${counted(maxScanBytes, 'byte')} a query`]),
    ...(key.class === undefined ? [] : [`class ${key.class}`]),
  ];
}

/** What a key may do, in words. */
export function factsOf(key: StoredKey): string[] {
  const { scopes, endpoints, projects, expires } = key;
  return [
    `for ${scopes.join(', ')}`,
    endpoints === undefined ? 'any endpoint' : `the endpoints ${endpoints.join(', ')}`,
    projects === undefined ? 'any project' : `the projects ${projects.join(', ')}`,
    ...limitsOf(key),
    expires === undefined ? 'until it is revoked' : `until ${instantText(expires)}`,
  ];
}

/** @param time in milliseconds since the epoch; shown to the second, in UTC */
export function instantText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The option of the command line for a property of a key, such as `--bytes-per-day`. */
export function optionName(option: Parameters<NameOption>[0]): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
