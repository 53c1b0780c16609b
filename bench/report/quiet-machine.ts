import { type ProcessorTicks, usedPart } from './processor-use.ts';
import { percentText } from './words.ts';

/** Others may use this part of the processor time; when they use more of it, the machine is busy. */
const quietUpTo = 0.25;
const lookSeconds = 5;

export interface QuietOptions {
  /** What the processors did until now; undefined where the system doesn't tell. */
  readonly ticks: () => Promise<ProcessorTicks | undefined>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly print: (text: string) => void;
  /** How long to wait at most. One look of five seconds is taken in any case. */
  readonly maxSeconds: number;
}

/** Whether others used so much of the processor time, from 0 to 1, that measurements show them as well. */
export function isBusy(usedByOthers: number): boolean {
  return usedByOthers > quietUpTo;
}

/**
 * Waits until others leave the processors alone, but not for ever. This process and its children must have nothing to do
 * meanwhile: all that is used is taken for others'. Unlike a load average, a look of five seconds doesn't show what was
 * before it.
 *
 * @returns the part of the processor time that others used in the last look, from 0 to 1; undefined where the system
 *   doesn't tell
 */
export async function waitForQuiet({
  ticks,
  sleep,
  print,
  maxSeconds,
}: QuietOptions): Promise<number | undefined> {
  for (let seconds = lookSeconds; ; seconds += lookSeconds) {
    const before = await ticks();
    await sleep(lookSeconds * 1000);
    const after = await ticks();
    const used = before && after && usedPart(before, after);
    if (used === undefined || !isBusy(used)) return used;
    const others = `  others use ${percentText(used)} of the processor time`;
    if (seconds + lookSeconds > maxSeconds) {
      print(`${others}: measured all the same`);
      return used;
    }
    if (seconds === lookSeconds) print(`${others}: waiting for up to ${maxSeconds} s`);
  }
}
