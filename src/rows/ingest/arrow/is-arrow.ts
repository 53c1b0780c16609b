import { open } from 'node:fs/promises';

const fileMagic = Buffer.from('ARROW1');
const continuation = 0xffffffff;

/** Whether a file begins like an Arrow file, or like an Arrow stream with a schema. Throws as `fs.open` does. */
export async function isArrowFile(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const begin = Buffer.alloc(8);
    const { bytesRead } = await handle.read(begin, 0, begin.length, 0);
    return isArrow(begin.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Whether bytes begin so. */
export function isArrow(head: Buffer): boolean {
  if (head.subarray(0, fileMagic.length).equals(fileMagic)) return true;
  return head.length >= 8 && head.readUInt32LE(0) === continuation && head.readInt32LE(4) > 0;
}
