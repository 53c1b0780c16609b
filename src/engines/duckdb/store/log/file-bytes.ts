import { type FileHandle, open } from 'node:fs/promises';
import { isCode } from '../../../../system/is-code.ts';

const pieceBytes = 1024 * 1024;

/** Reads parts of a file, with a buffer for consecutive ones. */
export class FileBytes {
  readonly size: number;
  readonly #handle: FileHandle;
  #piece: Buffer = Buffer.alloc(0);
  #from = 0;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Undefined if there is no such file. Rejects as `fs` does. */
  static async open(file: string): Promise<FileBytes | undefined> {
    try {
      const handle = await open(file, 'r');
      return new FileBytes(handle, (await handle.stat()).size);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** The bytes from a position on: at most so many, and fewer at the end of the file. Valid until the next call. */
  async at(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.size);
    if (position < this.#from || end > this.#from + this.#piece.length) {
      const wanted = Math.max(0, Math.min(Math.max(end - position, pieceBytes), this.size - position));
      const piece = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await this.#handle.read(piece, filled, wanted - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      this.#piece = piece.subarray(0, filled);
      this.#from = position;
    }
    return this.#piece.subarray(position - this.#from, end - this.#from);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
