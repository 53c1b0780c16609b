/** What the clock shows to cases that don't say it, in microseconds: results don't depend on the day of the run. */
export const defaultNow = BigInt(Date.UTC(2026, 0)) * 1000n;
