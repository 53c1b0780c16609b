/** A period and its rate of rows. Instants are in microseconds since the epoch. */
interface Stretch {
  readonly from: bigint;
  /** Excluded. */
  readonly to: bigint;
  /** On average over a day. */
  readonly rowsPerSecond: number;
}

const hour = 3_600_000_000n;

/** The rate of a running demo, and of the hour before it, so that charts of both look alike. */
const live = { rowsPerSecond: 8, longest: hour / 2n };
/** The rate of the days before: with eight of them a store starts at about 150,000 rows. */
const past = { rowsPerSecond: 0.175, longest: 24n * hour };

/** Splits the time up to `to` into periods of up to about 15,000 rows. The last hour has the higher rate. */
export function stretches(from: bigint, to: bigint): readonly Stretch[] {
  const liveFrom = to - hour > from ? to - hour : from;
  return [...split(from, liveFrom, past), ...split(liveFrom, to, live)];
}

function* split(from: bigint, to: bigint, { rowsPerSecond, longest }: typeof past): Generator<Stretch> {
  for (let start = from; start < to; start += longest) {
    const end = start + longest;
    yield { from: start, to: end < to ? end : to, rowsPerSecond };
  }
}

/** The approximate number of rows of a period. */
export function expectedRows({ from, to, rowsPerSecond }: Stretch): number {
  return (Number(to - from) / 1_000_000) * rowsPerSecond;
}
