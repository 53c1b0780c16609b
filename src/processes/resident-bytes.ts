import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

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
        : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim();
    return kib ? Number(kib) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
