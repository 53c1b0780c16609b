import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredKey } from '../../access/key/stored-key.ts';
import { endpointFileNames } from '../../endpoints/endpoint-file-names.ts';
import type { EndpointSettings } from '../../endpoints/settings.ts';
import { readSettingsComment } from '../../endpoints/settings-comment.ts';

/** The endpoints and parameters of a key that don't exist. */
interface UnknownNames {
  readonly endpoints: readonly string[];
  readonly parameters: readonly string[];
}

/**
 * Finds the names in a key's restrictions that no endpoint or parameter in the folder has. Empty if the endpoints can't
 * be read: the folder may be elsewhere, and endpoints change.
 */
export async function unknownNames(
  folder: string,
  { endpoints = [], pins = [] }: Pick<StoredKey, 'endpoints' | 'pins'>,
): Promise<UnknownNames> {
  const settings = await settingsIn(folder);
  if (settings === undefined) return { endpoints: [], parameters: [] };
  const called = new Set(settings.flatMap(({ id, name }) => [id.toLowerCase(), name]));
  const parameters = new Set(settings.flatMap((each) => Object.keys(each.parameters)));
  return {
    endpoints: endpoints.filter((each) => !called.has(each)),
    parameters: pins.map(({ parameter }) => parameter).filter((each) => !parameters.has(each)),
  };
}

/** The settings of all endpoints. Undefined if some can't be read. */
async function settingsIn(folder: string): Promise<readonly EndpointSettings[] | undefined> {
  try {
    const files = await endpointFileNames(folder);
    const settings = await Promise.all(
      files.map(
        async (file) => readSettingsComment(file, await readFile(join(folder, file), 'utf8')).settings,
      ),
    );
    return settings.every((each) => each !== undefined) ? settings : undefined;
  } catch {
    return undefined;
  }
}
