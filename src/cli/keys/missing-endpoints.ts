import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettingsComment } from '../../endpoints/settings-comment.ts';

/**
 * Which of the names and ids are those of no endpoint in the folder. None where that can't be told: the folder may be elsewhere,
 * and endpoints come and go.
 */
export async function missingEndpoints(folder: string, named: readonly string[]): Promise<string[]> {
  try {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !name.startsWith('.'));
    const settings = await Promise.all(
      files.map(
        async (file) => readSettingsComment(file, await readFile(join(folder, file), 'utf8')).settings,
      ),
    );
    const known = new Set(
      settings.flatMap((each) => (each === undefined ? [] : [each.id.toLowerCase(), each.name])),
    );
    return settings.includes(undefined) ? [] : named.filter((each) => !known.has(each));
  } catch {
    return [];
  }
}
