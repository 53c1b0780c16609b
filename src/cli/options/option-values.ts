import { InvalidArgumentError } from 'commander';
import { UsageError } from '../../base/errors/command-error.ts';
import type { Config } from '../../definitions/settings/config.ts';
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

/**
 * A reader of an option whose value is a whole number.
 *
 * @param max the largest number
 */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${max}.`);
  };
}

/**
 * Reads an option whose value is a share in percent, such as `80`, `99.5` or `80%`.
 *
 * @throws InvalidArgumentError
 */
export function percent(text: string): number {
  const value = Number(text.replace(/%$/, ''));
  if (/^\d+(\.\d+)?%?$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 100.');
}

/** Collects the values of an option that may be repeated. */
export function repeatable(item: string, before: readonly string[] = []): readonly string[] {
  return [...before, item];
}

/** The settings with the engine that an option names. */
export function withEngine(
  config: Config,
  { engine = config.engine }: { readonly engine?: Config['engine'] },
): Config {
  return { ...config, engine };
}
