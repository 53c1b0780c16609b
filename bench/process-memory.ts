import { readFile } from 'node:fs/promises';

/**
 * The memory of a process and all its descendants, in bytes. Shared memory, such as Node's program, counts once: this
 * is the sum of Linux's `Pss`, which is lower when other processes run the same program.
 */
export async function memoryOfAll(pid: number): Promise<number> {
  const map = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
  const own = Number(/^Pss:\s+(\d+) kB$/m.exec(map)?.[1]) * 1024;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1');
  const others = await Promise.all(children.trim().split(' ').filter(Boolean).map(Number).map(memoryOfAll));
  return others.reduce((sum, bytes) => sum + bytes, own);
}
