import { CommandError } from '../../base/errors/command-error.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import { freeBytesAt } from '../../base/system/disk-space.ts';

/** Space that is left free on the disk, in bytes. */
const reserve = 64_000_000;

/** @throws CommandError if a file of this size doesn't fit on the disk of a folder; errors of the file system */
export async function refuseWithoutSpace(
  folder: string,
  bytes: number,
  freeBytes: (folder: string) => Promise<number> = freeBytesAt,
): Promise<void> {
  const needed = bytes + reserve;
  const free = await freeBytes(folder);
  if (free >= needed) return;
  throw new CommandError(
    `This needs ${megabytes(needed)} of free disk space in ${folder}, and ${megabytes(free)} are free. Nothing was written.`,
  );
}
