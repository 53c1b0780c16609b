import { readdir } from 'node:fs/promises';

/**
 * The names of the endpoint files in a folder, sorted: `*.sql` except hidden files.
 *
 * @throws errors of the file system
 */
export async function endpointFileNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql') && !name.startsWith('.')).sort();
}
