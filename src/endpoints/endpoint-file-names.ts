import { readdir } from 'node:fs/promises';

/**
 * The names of the files of a folder that are endpoints, in order: `*.sql`, hidden ones left out.
 *
 * @throws what the file system refuses
 */
export async function endpointFileNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql') && !name.startsWith('.')).sort();
}
