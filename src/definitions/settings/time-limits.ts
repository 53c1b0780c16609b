/** How far the `timestamp` of a row may be from its arrival. */
export interface TimeLimits {
  readonly maxPastDays: number;
  readonly maxFutureSeconds: number;
}

/** A hundred years back, a day ahead. */
export const defaultTimeLimits: TimeLimits = { maxPastDays: 36_525, maxFutureSeconds: 86_400 };

/** The limits that the settings give. */
export function timeLimits({
  ingestMaxPastDays,
  ingestMaxFutureSeconds,
}: {
  readonly ingestMaxPastDays: number;
  readonly ingestMaxFutureSeconds: number;
}): TimeLimits {
  return { maxPastDays: ingestMaxPastDays, maxFutureSeconds: ingestMaxFutureSeconds };
}
