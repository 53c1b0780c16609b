import { readdir } from 'node:fs/promises';
import { readWrittenFile } from './read-written-file.ts';

/** How the files of a folder are read: from the disk, or from an editor that has not saved them yet. */
export interface FolderFiles {
  /**
   * The names of all entries of a folder, in any order.
   *
   * @throws errors of the file system
   */
  list(folder: string): Promise<readonly string[]>;
  /**
   * The content of a file.
   *
   * @throws UnfitFile for what is no file or too large; errors of the file system
   */
  read(file: string): Promise<Buffer>;
}

export const filesOnDisk: FolderFiles = {
  list: (folder) => readdir(folder),
  read: (file) => readWrittenFile(file),
};
