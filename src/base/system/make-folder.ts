import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents.
 * Node's `recursive` never returns for a folder that can't be created in an existing one, as in `/proc`: it keeps
 * retrying the parent.
 *
 * @param mode the permissions of each created folder; by default all, less the process's mask
 * @throws the file system's error
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    const above = dirname(folder);
    if (above === folder) throw error;
    if (!(await isFolder(above))) await makeFolder(above, mode);
    // Another process may have created either in the meantime.
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
