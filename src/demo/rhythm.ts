import type { Project } from './vocabulary/projects.ts';

const microsPerHour = 3_600_000_000;

/** How far day and night are from the average: by day up to 1.6 times as much happens, at night 0.4 times. */
const swing = 0.6;

/** How busy a project is at an instant (in microseconds since the epoch): 1 on average over a day. */
export function liveliness({ peakHour }: Project, at: number): number {
  const hour = (at / microsPerHour) % 24;
  return 1 + swing * Math.cos(((hour - peakHour) / 12) * Math.PI);
}
