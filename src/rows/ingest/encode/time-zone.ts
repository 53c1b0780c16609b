import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { hasNoOffset, microsOfText } from './time-of-text.ts';

const [microsPerMinute, minutesPerHour] = [60_000_000n, 60];
const quarterMicros = 900_000_000n;
const dayMicros = 86_400_000_000n;

const fixedOffset = /^([+-])(\d\d):?(\d\d)?$/;

/** What the text of a zone must be. */
export const zoneExpected = 'expected a time zone, such as Europe/Berlin, UTC or +02:00';

/** Whether a text names a time zone, such as `Europe/Berlin`, `UTC` or `+02:00`. */
export function isTimeZone(text: string): boolean {
  if (fixedOffset.test(text)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Reads times of a zone. */
export class TimeZone {
  readonly #fixed: number | undefined;
  readonly #format: Intl.DateTimeFormat;
  /** The offsets, in minutes, by the quarter of an hour since 1970 in UTC. */
  readonly #offsets = new Map<bigint, number>();

  /** @param name as in `isTimeZone` */
  constructor(name: string) {
    const [, sign, hours = '0', minutes = '0'] = fixedOffset.exec(name) ?? [];
    const size = Number(hours) * minutesPerHour + Number(minutes);
    this.#fixed = sign === undefined ? undefined : sign === '-' ? -size : size;
    const timeZone = sign === undefined ? name : 'UTC';
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /**
   * A text with a time of this zone, if it has no offset, as one of UTC. Other texts are returned unchanged. Of an hour that
   * clocks show twice, it is the first; a time that they skip is read with the offset before it.
   */
  inUtc(text: string): string {
    const local = hasNoOffset(text) ? microsOfText(text) : undefined;
    if (local === undefined) return text;
    return `${datetimeTextOfMicros(this.#instant(local))}Z`;
  }

  #instant(local: bigint): bigint {
    if (this.#fixed !== undefined) return local - BigInt(this.#fixed) * microsPerMinute;
    const before = this.#offset(local - dayMicros);
    const after = this.#offset(local + dayMicros);
    for (const offset of [before, after]) {
      const instant = local - BigInt(offset) * microsPerMinute;
      if (this.#offset(instant) === offset) return instant;
    }
    return local - BigInt(before) * microsPerMinute;
  }

  /** The offset at an instant. Zones change at quarters of an hour. */
  #offset(instant: bigint): number {
    const quarter = (instant - (((instant % quarterMicros) + quarterMicros) % quarterMicros)) / quarterMicros;
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = this.#readOffset(Number(instant / 1000n));
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  #readOffset(milliseconds: number): number {
    const name =
      this.#format.formatToParts(milliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    const size = Number(hours) * minutesPerHour + Number(minutes);
    return sign === '-' ? -size : size;
  }
}
