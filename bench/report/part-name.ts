/** The parts of the report, in its order. */
export const partNames = [
  'servers',
  'latency',
  'callers',
  'overload',
  'hits',
  'imports',
  'planning',
  'memory',
] as const;

export type PartName = (typeof partNames)[number];
