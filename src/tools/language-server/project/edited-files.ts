import path from 'node:path';
import type { FolderFiles } from '../../../base/system/folder-files.ts';
import { UnfitFile } from '../../../base/system/read-written-file.ts';

/** Longer texts are nobody's endpoint or source. Checking one at every change would take seconds. */
const maxLength = 4 * 1024 * 1024;

/** The files of folders as an editor shows them: open ones as they are there, all others from the disk. */
export class EditedFiles implements FolderFiles {
  readonly #disk: FolderFiles;
  readonly #open = new Map<string, string>();

  constructor(disk: FolderFiles) {
    this.#disk = disk;
  }

  /** Sets the text of an open file, or undefined when it is closed. */
  edit(file: string, text: string | undefined): void {
    if (text === undefined) this.#open.delete(file);
    else this.#open.set(file, text);
  }

  /** Whether an editor has the file open. */
  isOpen(file: string): boolean {
    return this.#open.has(file);
  }

  /** The same, with only the open files in folders. */
  get onlyOpen(): FolderFiles {
    return {
      list: async (folder) => this.#openIn(folder),
      read: (file) => this.read(file),
    };
  }

  /** Also those that are not saved yet. */
  async list(folder: string): Promise<readonly string[]> {
    const open = this.#openIn(folder);
    try {
      return [...new Set([...open, ...(await this.#disk.list(folder))])];
    } catch (error) {
      if (open.length === 0) throw error;
      return open;
    }
  }

  #openIn(folder: string): readonly string[] {
    return [...this.#open.keys()]
      .filter((file) => path.dirname(file) === path.resolve(folder))
      .map((file) => path.basename(file));
  }

  async read(file: string): Promise<Buffer> {
    const text = this.#open.get(path.resolve(file));
    if (text === undefined) return this.#disk.read(file);
    if (text.length > maxLength) throw new UnfitFile('it is longer than 4 MiB');
    return Buffer.from(text);
  }
}
