import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isCode } from '../../../../base/system/is-code.ts';
import { StoreError } from './store-error.ts';

/** So many are read at a time. */
export const pieceBytes = 1024 * 1024;

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

  /**
   * Undefined if there is no such file. Rejects as `fs` does.
   *
   * @throws StoreError (`files`) for a pipe, a folder or a device
   */
  static async open(file: string): Promise<FileBytes | undefined> {
    let handle: FileHandle;
    try {
      // Opening a pipe would wait for its writer.
      handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
    const stats = await handle.stat();
    if (stats.isFile()) return new FileBytes(handle, stats.size);
    await handle.close();
    throw new StoreError('files', `${file} is not a file`);
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

  /**
   * The bytes between two positions in pieces of the same size, each valid until the next one is read.
   *
   * @throws Error if the file has become shorter
   */
  async *pieces(from: number, to: number): AsyncGenerator<Buffer> {
    for (let position = from; position < to; ) {
      const piece = await this.at(position, Math.min(pieceBytes, to - position));
      if (piece.length === 0) throw new Error('The file became shorter while it was read');
      yield piece;
      position += piece.length;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
