import { checksumOf } from './checksum.ts';
import type { FileBytes } from './file-bytes.ts';

const headerBytes = 4096;
const checksumBytes = 8;
const magic = 'DUCK';

/** The beginning of a database file: a header that never changes, and two of which the last checkpoint wrote one. */
interface FileHeaders {
  /** Whether it is a database file at all. */
  readonly isDatabase: boolean;
  /** The identifier of the file, in hexadecimal. Undefined if the header is damaged. */
  readonly identifier: string | undefined;
  readonly states: readonly [FileState | undefined, FileState | undefined];
}

/** What a checkpoint wrote. Undefined if it is damaged. */
interface FileState {
  /** How many checkpoints the file has had. */
  readonly checkpoints: number;
  /** The length of the file at least. */
  readonly bytes: number;
}

/** Reads the headers of a database file. Rejects as `fs` does. */
export async function readFileHeaders(file: FileBytes): Promise<FileHeaders> {
  const main = await file.at(0, headerBytes);
  const isDatabase = main.toString('latin1', checksumBytes, checksumBytes + magic.length) === magic;
  // After the format's version, flags, the library's version and what an encrypted file has.
  const identifier = main.subarray(124, 140).toString('hex');
  const isIntact = hasChecksum(main);
  const states: [FileState | undefined, FileState | undefined] = [
    readState(await file.at(headerBytes, headerBytes)),
    readState(await file.at(2 * headerBytes, headerBytes)),
  ];
  return { isDatabase, identifier: isIntact ? identifier : undefined, states };
}

/** What the last complete checkpoint wrote; undefined if one of the headers is damaged. */
export function lastState({ states: [first, second] }: FileHeaders): FileState | undefined {
  if (first === undefined || second === undefined) return undefined;
  return first.checkpoints > second.checkpoints ? first : second;
}

function readState(header: Buffer): FileState | undefined {
  if (!hasChecksum(header)) return undefined;
  const [checkpoints = 0, , , blocks = 0, blockBytes = 0] = Array.from({ length: 5 }, (_, i) =>
    Number(header.readBigUInt64LE(checksumBytes * (i + 1))),
  );
  return { checkpoints, bytes: 3 * headerBytes + blocks * blockBytes };
}

function hasChecksum(header: Buffer): boolean {
  return (
    header.length === headerBytes && checksumOf(header.subarray(checksumBytes)) === header.readBigUInt64LE(0)
  );
}
