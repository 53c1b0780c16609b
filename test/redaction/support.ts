import { performance } from 'node:perf_hooks';

/** Times as much for a text eight times as long: about 8 where the time is in proportion, 64 where it is quadratic. */
export function growth(part: string, work: (text: string) => unknown): number {
  const timed = (length: number) => {
    const text = part.repeat(length / part.length);
    const began = performance.now();
    work(text);
    return performance.now() - began;
  };
  timed(20_000);
  return timed(400_000) / Math.max(1, Math.min(timed(50_000), timed(50_000)));
}
