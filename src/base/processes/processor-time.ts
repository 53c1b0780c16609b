import { readFileSync } from 'node:fs';

/** Linux counts in these milliseconds for `/proc`: `USER_HZ` is 100. */
const tickMs = 10;

/**
 * The processor time of a process so far, of all its threads, in milliseconds. Undefined if it has ended, and where there is no
 * `/proc`.
 */
export function processorMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the name, may contain spaces and parentheses: user and system time are the 12th and 13th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}
