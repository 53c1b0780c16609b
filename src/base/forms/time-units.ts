/** Seconds of the units in written rates and durations. */
export const secondsByUnit: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};
