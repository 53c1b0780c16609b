export const microsPerSecond = 1_000_000n;
export const microsPerMinute = 60n * microsPerSecond;
export const microsPerHour = 60n * microsPerMinute;
export const microsPerDay = 24n * microsPerHour;

/** Microseconds of the date parts that always have the same length. */
export const microsByPart: Readonly<Record<string, bigint>> = {
  DAY: microsPerDay,
  HOUR: microsPerHour,
  MINUTE: microsPerMinute,
  SECOND: microsPerSecond,
  MILLISECOND: 1000n,
  MICROSECOND: 1n,
};
