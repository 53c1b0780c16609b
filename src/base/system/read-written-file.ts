import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import { megabytes } from '../forms/bytes.ts';
import { isSafeDevice } from './safe-device.ts';

/** A larger file of SQL, JSON, YAML or settings was not written by people. */
export const maxWrittenBytes = 16_000_000;

/** Thrown for a file that is neither read nor written although it is there. Its message says why: `it is not a file`. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
}

/**
 * Reads a file that people write. It is a regular file: a pipe or a device may have no end. `isSafeDevice` names
 * those that are read too.
 *
 * @param maxBytes a larger file is not read
 * @throws UnfitFile; errors of the file system
 */
export async function readWrittenFile(file: string, maxBytes = maxWrittenBytes): Promise<Buffer> {
  const handle = await open(file, openFlags(file));
  try {
    const collected = new Collected(file, await handle.stat(), maxBytes);
    for (;;) {
      const { bytesRead, buffer } = await handle.read(collected.space());
      if (bytesRead === 0) return collected.bytes();
      collected.add(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/**
 * As `readWrittenFile`, at once.
 *
 * @throws UnfitFile; errors of the file system
 */
export function readWrittenFileSync(file: string, maxBytes = maxWrittenBytes): Buffer {
  const descriptor = openSync(file, openFlags(file));
  try {
    const collected = new Collected(file, fstatSync(descriptor), maxBytes);
    for (;;) {
      const buffer = collected.space();
      const bytesRead = readSync(descriptor, buffer);
      if (bytesRead === 0) return collected.bytes();
      collected.add(buffer.subarray(0, bytesRead));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Whether an error is one of reading or writing a file. */
export function isFileFailure(error: unknown): boolean {
  return error instanceof UnfitFile || (error instanceof Error && 'code' in error);
}

/** Why a file can't be read or written, in a few words: what the operating system says, or the reason of `UnfitFile`. */
export function fileFailure(error: unknown): string {
  if (error instanceof UnfitFile) return error.message;
  if (!(error instanceof Error)) return String(error);
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : Number.NaN;
  return getSystemErrorMap().get(number)?.[1] ?? error.message;
}

/** Whether an error is that there is no such file. */
export function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Opening a pipe waits for its writer, unless it is opened without waiting. */
function openFlags(file: string): number {
  return isSafeDevice(file) ? constants.O_RDONLY : constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
}

/** The pieces of a file, up to a size. The files of /proc say that they have none. */
class Collected {
  readonly #maxBytes: number;
  readonly #announced: number;
  readonly #pieces: Buffer[] = [];
  #size = 0;

  constructor(file: string, stats: Stats, maxBytes: number) {
    // Reading a folder fails with a code of its own.
    if (!stats.isFile() && !stats.isDirectory() && !isSafeDevice(file))
      throw new UnfitFile('it is not a file');
    this.#maxBytes = maxBytes;
    this.#announced = stats.size;
    if (stats.isFile()) this.#refuseLarger(stats.size);
  }

  /** Where the next piece is read to. */
  space(): Buffer {
    const rest = this.#announced - this.#size;
    return Buffer.allocUnsafe(rest > 0 ? rest + 1 : 64 * 1024);
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.#refuseLarger(this.#size);
  }

  bytes(): Buffer {
    return this.#pieces.length === 1 && this.#pieces[0] !== undefined
      ? this.#pieces[0]
      : Buffer.concat(this.#pieces);
  }

  #refuseLarger(size: number): void {
    if (size > this.#maxBytes) throw new UnfitFile(`it is larger than ${megabytes(this.#maxBytes)}`);
  }
}
