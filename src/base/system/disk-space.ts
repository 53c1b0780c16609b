import { statfs } from 'node:fs/promises';

/** The file system of a folder. */
export interface DiskSpace {
  readonly sizeBytes: number;
  /** What this user may still use. */
  readonly freeBytes: number;
}

/** The file system of a folder, as the system reports it. Rejects as `fs` does. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return { sizeBytes: blocks * bsize, freeBytes: bavail * bsize };
}

/** The bytes that this user may still use on the disk of a folder. Rejects as `fs` does. */
export async function freeBytesAt(folder: string): Promise<number> {
  return (await diskSpace(folder)).freeBytes;
}
