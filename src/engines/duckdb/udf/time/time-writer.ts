import { withoutTrailingZeros } from '../../../../base/text/trailing-zeros.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerMinute, microsPerSecond } from '../../../../sql/values/time-units.ts';
import { isAllowed, type TimeKind } from './allowed-elements.ts';
import { calendarDay, dayNumber, isoWeek, splitMicros, weekday, weekOfYear } from './calendar.ts';
import { fullDays, fullMonths } from './names.ts';
import { civilOfInstant } from './time-zone.ts';

/** An element: `%`, an optional flag, and a letter, which `E` or `O` can precede. */
const element = /%(?:([-_0^#]?)(E[*0-9][SF]|E\*S|E4Y|E[^*0-9]|O.|[^EO])|$)/gs;

/** A number and its minimum digits, padded with `0` or `fill`. */
interface Digits {
  readonly value: number;
  readonly width: number;
  readonly fill?: ' ';
}

/**
 * Formats a time with a format of FORMAT_TIMESTAMP and similar functions. Text that is not an element, or not one of
 * that type, is unchanged. Offsets from UTC are truncated to whole minutes.
 *
 * @param micros the instant, or the civil time of types without a zone
 * @throws Failure when the zone doesn't exist
 */
export function writeTime(format: string, kind: TimeKind, micros: bigint, zone: string): string {
  const moment = new Moment(micros, zone);
  return format.replace(element, (whole, flag: string | undefined, name: string | undefined) => {
    if (name === undefined || (!flag && !isAllowed(name, kind))) return whole;
    const part = moment.part(name);
    return part === undefined ? whole : typeof part === 'string' ? flagged(part, flag) : digits(part, flag);
  });
}

function flagged(text: string, flag: string | undefined): string {
  return flag === '^' ? text.toUpperCase() : text;
}

function digits({ value, width, fill }: Digits, flag: string | undefined): string {
  const filler = { '-': '', _: ' ', '0': '0' }[flag ?? ''] ?? fill ?? '0';
  return filler === '' ? String(value) : String(value).padStart(width, filler);
}

/** One time and the values of a format's elements for it. */
class Moment {
  readonly #instant: bigint;
  readonly #offset: bigint;
  readonly #days: number;
  readonly #ofDay: number;

  constructor(instant: bigint, zone: string) {
    this.#instant = instant;
    const offset = zone === 'UTC' ? 0n : civilOfInstant(instant, zone) - instant;
    this.#offset = offset - (offset % microsPerMinute);
    const { days, ofDay } = splitMicros(instant + this.#offset);
    this.#days = days;
    this.#ofDay = ofDay;
  }

  /** The text of an element, or its number. Undefined for an unknown element. */
  part(name: string): string | Digits | undefined {
    const { year, month, day } = calendarDay(this.#days);
    const hour = Math.floor(this.#ofDay / 3_600_000_000);
    switch (/^[EO].$/s.test(name) && name !== 'Ez' ? name.slice(1) : name) {
      case 'Y':
        return { value: year, width: 1 };
      case 'E4Y':
        return { value: year, width: 4 };
      case 'G':
        return { value: isoWeek(this.#days).year, width: 1 };
      case 'C':
        return { value: Math.floor(year / 100), width: year < 1000 ? 1 : 2 };
      case 'y':
        return { value: year % 100, width: 2 };
      case 'g':
        return { value: isoWeek(this.#days).year % 100, width: 2 };
      case 'Q':
        return { value: Math.ceil(month / 3), width: 1 };
      case 'm':
        return { value: month, width: 2 };
      case 'd':
        return { value: day, width: 2 };
      case 'e':
        return { value: day, width: 2, fill: ' ' };
      case 'j':
        return { value: this.#days - dayNumber(year, 1, 1) + 1, width: 3 };
      case 'U':
        return { value: weekOfYear(this.#days, 0), width: 2 };
      case 'W':
        return { value: weekOfYear(this.#days, 1), width: 2 };
      case 'V':
        return { value: isoWeek(this.#days).week, width: 2 };
      case 'u':
        return { value: weekday(this.#days) || 7, width: 1 };
      case 'w':
        return { value: weekday(this.#days), width: 1 };
      case 'H':
        return { value: hour, width: 2 };
      case 'I':
        return { value: hour % 12 || 12, width: 2 };
      case 'k':
        return { value: hour, width: 2, fill: ' ' };
      case 'l':
        return { value: hour % 12 || 12, width: 2, fill: ' ' };
      case 'M':
        return { value: Math.floor(this.#ofDay / 60_000_000) % 60, width: 2 };
      case 'S':
        return { value: this.#second(), width: 2 };
      case 's':
        return {
          value: Number(this.#instant / microsPerSecond - (this.#instant % microsPerSecond < 0n ? 1n : 0n)),
          width: 1,
        };
      case 'A':
        return fullDays[weekday(this.#days)];
      case 'a':
        return fullDays[weekday(this.#days)]?.slice(0, 3);
      case 'B':
        return fullMonths[month - 1];
      case 'b':
      case 'h':
        return fullMonths[month - 1]?.slice(0, 3);
      case 'p':
        return hour < 12 ? 'AM' : 'PM';
      case 'P':
        return hour < 12 ? 'am' : 'pm';
      case 'F':
        return this.#write('%Y-%m-%d');
      case 'D':
      case 'x':
        return this.#write('%m/%d/%y');
      case 'T':
        // GoogleSQL's formatting library interprets `%ET` differently.
        return name === 'ET' ? 'T' : this.#write('%H:%M:%S');
      case 'X':
        return this.#write('%H:%M:%S');
      case 'R':
        return this.#write('%H:%M');
      case 'r':
        return this.#write('%I:%M:%S %p');
      case 'c':
        return this.#write('%a %b %e %H:%M:%S %Y');
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case '%':
        return '%';
      case 'z':
        return this.#offsetText('');
      case 'Ez':
        return this.#offsetText(':');
      case 'Z':
        return this.#zoneText();
      case 'J':
        throw new Failure('Format element %J not supported yet');
      default:
        return this.#fraction(name);
    }
  }

  #write(format: string): string {
    return format.replace(/%(.)/g, (_, name: string) => {
      const part = this.part(name);
      return typeof part === 'object' ? digits(part, undefined) : String(part);
    });
  }

  #second(): number {
    return Math.floor(this.#ofDay / 1_000_000) % 60;
  }

  /** `E3S`: a fraction with this number of digits. `E*S`: all digits. */
  #fraction(name: string): string | undefined {
    const count = /^E([*0-9])S$/.exec(name)?.[1];
    if (count === undefined) return undefined;
    const seconds = String(this.#second()).padStart(2, '0');
    const all = `${String(this.#ofDay % 1_000_000).padStart(6, '0')}000`;
    const fraction = count === '*' ? withoutTrailingZeros(all) : all.slice(0, Number(count));
    return fraction === '' ? seconds : `${seconds}.${fraction}`;
  }

  #offsetText(separator: string): string {
    const total = Number(this.#offset / microsPerMinute);
    const [hours, minutes] = [Math.floor(Math.abs(total) / 60), Math.abs(total) % 60];
    const pad = (value: number) => String(value).padStart(2, '0');
    return `${total < 0 ? '-' : '+'}${pad(hours)}${separator}${pad(minutes)}`;
  }

  /** `UTC`, `UTC-8`, `UTC+0530`. */
  #zoneText(): string {
    const total = Number(this.#offset / microsPerMinute);
    if (total === 0) return 'UTC';
    if (total % 60 !== 0) return `UTC${this.#offsetText('')}`;
    return `UTC${total < 0 ? '' : '+'}${total / 60}`;
  }
}
