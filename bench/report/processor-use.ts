/** What all processors did since the system started, in ticks. */
export interface ProcessorTicks {
  readonly all: number;
  /** Of these, the ticks in which there was nothing to do, or only a disk to wait for. */
  readonly idle: number;
}

/**
 * Parses the content of Linux's `/proc/stat`. Its first line counts user, nice, system, idle, iowait, irq, softirq and
 * steal; the guests' ticks after them are counted as user, too (proc_stat(5)). Stolen ticks were used by another machine.
 *
 * @returns undefined if it has another form
 */
export function parseProcessorTicks(stat: string): ProcessorTicks | undefined {
  const line = /^cpu +(\d+(?: \d+){7})/.exec(stat)?.[1];
  if (line === undefined) return undefined;
  const ticks = line.split(' ').map(Number);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { all: ticks.reduce((sum, count) => sum + count, 0), idle: idle + waiting };
}

/**
 * The part of the processor time between two moments that was used, from 0 to 1.
 *
 * @returns undefined if the system didn't count meanwhile
 */
export function usedPart(before: ProcessorTicks, after: ProcessorTicks): number | undefined {
  const all = after.all - before.all;
  // Linux may count ticks of waiting backwards.
  return all > 0 ? Math.min(1, Math.max(0, 1 - (after.idle - before.idle) / all)) : undefined;
}
