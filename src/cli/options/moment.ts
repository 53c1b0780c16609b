import { UsageError } from '../../base/errors/usage-error.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';

/** A time. */
export interface Moment {
  /** Microseconds since the epoch. */
  readonly micros: bigint;
}

const milliseconds: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const examples = 'such as 2026-11-20 or 2026-11-20T08:30:00Z, or an age, such as 30d or 12h';

/**
 * Reads the value of an option.
 *
 * @param option its name, such as `--now`
 * @param now milliseconds since the epoch
 * @throws UsageError for a text that is no time
 */
export function readMoment(option: string, text: string | undefined, now: number): Moment | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text, now);
  if (moment === undefined) throw new UsageError(`${option} ${text}: expected a time, ${examples}`);
  return moment;
}

/**
 * Parses a time, or an age such as `30d`, `12h`, `90m` or `2w`. Undefined if the text is neither.
 *
 * @param now milliseconds since the epoch
 */
export function parseMoment(text: string, now: number): Moment | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const length = milliseconds[unit];
  if (length !== undefined) return { micros: BigInt(now - Number(count) * length) * 1000n };
  const micros = parseTimestamp(text);
  return micros === undefined ? undefined : { micros };
}
