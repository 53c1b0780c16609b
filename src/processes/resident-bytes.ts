import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * How much memory a process has at the moment, as the kernel counts it; `undefined` when it has ended. On Linux this takes no
 * thread and no waiting, so it also answers while this process is busy. `/proc/<pid>/statm` would count in pages, whose size Node
 * doesn't tell.
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
