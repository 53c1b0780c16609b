import type { FileHandle } from 'node:fs/promises';
import { CommandError } from '../../base/errors/command-error.ts';
import type { Pace } from './pace.ts';

const pieceBytes = 1024 * 1024;

/** Written bytes are synced this often: a sync of many would delay those of other processes on the same disk. */
const syncBytes = 16 * 1024 * 1024;

/**
 * Copies the first bytes of a file to another one, durably.
 *
 * @param onProgress called with the number of bytes of each piece
 * @throws CommandError if the file has fewer bytes; the signal's reason; errors of the file system
 */
export async function copyBytes(
  from: FileHandle,
  to: FileHandle,
  bytes: number,
  { pace, onProgress }: { readonly pace: Pace; readonly onProgress: (bytes: number) => void },
): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes));
  let unsynced = 0;
  for (let position = 0; position < bytes; ) {
    const wanted = Math.min(piece.length, bytes - position);
    const { bytesRead } = await from.read(piece, 0, wanted, position);
    if (bytesRead === 0) throw new CommandError('The file became shorter while it was copied.');
    await to.writeFile(piece.subarray(0, bytesRead));
    position += bytesRead;
    unsynced += bytesRead;
    if (unsynced >= syncBytes) {
      await to.datasync();
      unsynced = 0;
    }
    onProgress(bytesRead);
    await pace.done(bytesRead);
  }
  await to.sync();
}
