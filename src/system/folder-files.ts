import { readdir, readFile } from 'node:fs/promises';

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
   * @throws errors of the file system
   */
  read(file: string): Promise<Buffer>;
}

export const filesOnDisk: FolderFiles = {
  list: (folder) => readdir(folder),
  read: (file) => readFile(file),
};
