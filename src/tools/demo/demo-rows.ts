import { type NonEmpty, Random, type Weighted } from '../made-up-rows/making/random.ts';
import { visitAuth } from './areas/auth.ts';
import { visitFunctions } from './areas/functions.ts';
import { visitOther } from './areas/other.ts';
import { visitPooler } from './areas/pooler.ts';
import { visitRealtime } from './areas/realtime.ts';
import { visitRest } from './areas/rest.ts';
import { visitStorage } from './areas/storage.ts';
import { housekeeping } from './housekeeping.ts';
import type { Area, DemoRow } from './rows/call.ts';
import { type Project, projects } from './vocabulary/projects.ts';

const microsPerHour = 3_600_000_000;

/** The difference of day and night from the average: up to 1.6 times as many calls by day, 0.4 times at night. */
const swing = 0.6;

/** The load of a project at an instant (in microseconds since the epoch): 1 on average over a day. */
function liveliness({ peakHour }: Project, at: number): number {
  const hour = (at / microsPerHour) % 24;
  return 1 + swing * Math.cos(((hour - peakHour) / 12) * Math.PI);
}

export interface DemoRowsOptions {
  /** The start of the rows' timestamps, in microseconds since the epoch. */
  readonly from: bigint;
  /** Their end, excluded. */
  readonly to: bigint;
  /** Returns numbers from 0 (included) to 1 (excluded). The same numbers give the same rows. */
  readonly random: () => number;
  /** Rows per second over all sources, on average over a day. */
  readonly rowsPerSecond: number;
}

const areas: NonEmpty<Weighted<Area>> = [
  [38, visitRest],
  [17, visitAuth],
  [18, visitStorage],
  [10, visitRealtime],
  [10, visitFunctions],
  [4, visitOther],
  [6, visitPooler],
];

/** Average rows per visit, which a test verifies. */
const rowsPerVisit = 2.2;

const microsPerSecond = 1_000_000;

/**
 * Makes up rows of all sources in the order of their timestamps: visits to a few projects, more by day than at night,
 * each with rows in several sources, and the servers' own messages. Seconds are independent: a request and its rows are
 * in the same second.
 */
export function* demoRows({ from, to, random: source, rowsPerSecond }: DemoRowsOptions): Generator<DemoRow> {
  const random = new Random(source);
  const end = Number(to);
  for (let start = Number(from); start < end; ) {
    const second = Math.floor(start / microsPerSecond) * microsPerSecond;
    const stop = Math.min(end, second + microsPerSecond);
    const rows =
      start === second && stop === second + microsPerSecond ? [...housekeeping(random, second)] : [];
    for (const project of projects) {
      const visitsPerSecond = (rowsPerSecond / rowsPerVisit) * project.share * liveliness(project, start);
      const visits = random.count((visitsPerSecond * (stop - start)) / microsPerSecond);
      for (let visit = 0; visit < visits; visit += 1) {
        const at = random.integer(start, stop - 1);
        const scene = { random, project, visitor: random.pickEarly(project.visitors), at, notBefore: start };
        rows.push(...random.weighted(areas)(scene));
      }
    }
    yield* rows.sort((a, b) => a.at - b.at);
    start = stop;
  }
}
