/** A stretch of time and how densely it is filled. Instants are in microseconds since the epoch. */
interface Stretch {
  readonly from: bigint;
  /** Excluded. */
  readonly to: bigint;
  /** On average over a day. */
  readonly rowsPerSecond: number;
}

const hour = 3_600_000_000n;

/** What a running demo adds, and what the hour before it holds, so that the charts of both look alike. */
const live = { rowsPerSecond: 8, longest: hour / 2n };
/** What the days before hold: with eight of them a store starts at about 150,000 rows. */
const past = { rowsPerSecond: 0.175, longest: 24n * hour };

/** Splits the time up to `to` into stretches of up to about 15,000 rows, the last hour of it denser. */
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

/** How many rows a stretch will have, about. */
export function expectedRows({ from, to, rowsPerSecond }: Stretch): number {
  return (Number(to - from) / 1_000_000) * rowsPerSecond;
}
