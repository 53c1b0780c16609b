import { readFileSync } from 'node:fs';
import { outputOf } from './start-process.ts';

/**
 * Returns the resident memory of a process, or `undefined` if it has ended. On Linux, the read is synchronous and needs
 * no thread, so that it also works while this process is busy. `/proc/<pid>/statm` counts in pages, whose size Node
 * doesn't report.
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const kib =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
        : (await outputOf('ps', ['-o', 'rss=', '-p', String(pid)])).trim();
    return kib ? Number(kib) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
