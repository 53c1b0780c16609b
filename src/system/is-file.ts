import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/**
 * Whether a path leads to a regular file with an end. Pipes and devices don't: reading them may never end. Neither do files
 * that the system makes up, such as `/proc/kmsg`: they claim to be empty, and are not.
 *
 * @throws errors of the file system, such as ENOENT
 */
export async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path);
  if (!stats.isFile() || stats.size > 0) return stats.isFile();
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { bytesRead } = await handle.read(Buffer.alloc(1));
    // It may have been written meanwhile.
    return bytesRead === 0 || (await handle.stat()).size > 0;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
