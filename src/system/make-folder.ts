import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, where they are missing.
 *
 * Node's own `recursive` never ends where a folder can't be made in one that is there, as in `/proc`: it takes the one above for
 * missing, time and again.
 *
 * @param mode the permissions of each that is made; all of them where it is left out, less the process's mask
 * @throws what the file system refuses
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    const above = dirname(folder);
    if (above === folder || (await isFolder(above))) throw error;
    await makeFolder(above, mode);
    // Somebody else may have made it meanwhile.
    await mkdir(folder, { mode }).catch(async (again) => {
      if (!(await isFolder(folder))) throw again;
    });
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
