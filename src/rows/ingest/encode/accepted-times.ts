import { defaultTimeLimits, type TimeLimits } from '../../../definitions/settings/ingest-settings.ts';
import { microsPerDay, microsPerSecond } from '../../../sql/values/time-units.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { describeValue, RowValidationError } from './row-validation-error.ts';

/** The times that rows may have, in microseconds since 1970, with both ends. */
export interface AcceptedTimes {
  readonly from: bigint;
  readonly to: bigint;
}

/** @param now the time of arrival, in microseconds since 1970 */
export function acceptedTimes({ maxPastDays, maxFutureSeconds }: TimeLimits, now: bigint): AcceptedTimes {
  const from = now - BigInt(maxPastDays) * microsPerDay;
  const to = now + BigInt(maxFutureSeconds) * microsPerSecond;
  return {
    from: from < minTimestampMicros ? minTimestampMicros : from,
    to: to > maxTimestampMicros ? maxTimestampMicros : to,
  };
}

/** The times that rows may have now with the default limits. */
export function presentTimes(): AcceptedTimes {
  return acceptedTimes(defaultTimeLimits, BigInt(Date.now()) * 1000n);
}

export function isAccepted(micros: bigint, { from, to }: AcceptedTimes): boolean {
  return micros >= from && micros <= to;
}

/** What sets the range. */
const settings = 'INGEST_MAX_PAST_DAYS, INGEST_MAX_FUTURE_SECONDS';

/** The error for a time that isn't accepted. */
export function outOfRange(value: unknown, { from, to }: AcceptedTimes): RowValidationError {
  const range = `expected a time from ${textOf(from)} to ${textOf(to)}`;
  return new RowValidationError(`${range} (${settings}), got ${describeValue(value)}`, 'time');
}

/** To the second: more would only be hard to read. */
function textOf(micros: bigint): string {
  return `${datetimeTextOfMicros(micros).slice(0, 19)}Z`;
}
