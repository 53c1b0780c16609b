import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { exists } from '../../base/system/exists.ts';

/**
 * The folder of the project that endpoints belong to: the nearest one above them with a `package.json` or a git repository. Without
 * any, it is the folder that the endpoints' folder is in. Test files read nothing outside of it.
 *
 * @throws errors of the file system if the endpoints' folder does not exist
 */
export async function projectFolder(endpointsDir: string): Promise<string> {
  const usual = path.dirname(await realpath(endpointsDir));
  for (let folder = usual; ; folder = path.dirname(folder)) {
    for (const sign of ['package.json', '.git']) if (await exists(path.join(folder, sign))) return folder;
    if (path.dirname(folder) === folder) return usual;
  }
}
