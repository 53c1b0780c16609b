import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';

/**
 * The names of the endpoint files in a folder, sorted: `*.sql` except hidden files.
 *
 * @throws errors of the file system
 */
export async function endpointFileNames(
  folder: string,
  files: Pick<FolderFiles, 'list'> = filesOnDisk,
): Promise<string[]> {
  return (await files.list(folder)).filter((name) => name.endsWith('.sql') && !name.startsWith('.')).sort();
}
