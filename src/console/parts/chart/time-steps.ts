const [minute, hour, day] = [60, 3_600, 86_400];

/** The lengths of time that clocks and calendars have, in whole seconds, ascending. */
export const wholeTimeSteps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].flatMap((size) => [size, size * minute]),
  ...[1, 2, 3, 6, 12].map((size) => size * hour),
  ...[1, 2, 7, 14].map((size) => size * day),
  // uPlot takes 30 days for a month, and 365 for a year.
  ...[30, 90, 180].map((size) => size * day),
  ...[1, 2, 5, 10, 20, 50, 100, 500, 1000].map((size) => size * 365 * day),
].sort((one, other) => one - other);
