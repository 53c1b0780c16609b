import { daysInMonth } from '../../../../sql/values/civil-text.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerDay, microsPerMinute, microsPerSecond } from '../../../../sql/values/time-units.ts';
import { dayNumber, firstMicros, lastMicros } from './calendar.ts';
import { DateElements } from './date-elements.ts';
import { fullDays, fullMonths, readName } from './names.ts';
import { assertZone, instantOfCivil } from './time-zone.ts';

/** A position after which everything is accepted: the text can't be parsed, whatever follows. */
const failed = -1;

const whiteSpace = /[ \t\n\v\f\r]/;

/** Elements that are short for several others. */
const composed: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  r: '%I:%M:%S %p',
};

/**
 * Parses a time with a format as PARSE_TIMESTAMP does. Parts that are not in the format are those of 1970-01-01
 * 00:00:00. The last of conflicting elements is used. White space in the format matches any amount of it, including
 * none, and numbers may have fewer digits than when formatted.
 *
 * Source: the format elements in BigQuery's documentation. Their interaction follows GoogleSQL's analyzer, which,
 * unlike BigQuery, can't parse weeks with weekdays.
 */
export class TimeParser {
  readonly #format: string;
  readonly #text: string;
  #at = 0;
  readonly #date = new DateElements();
  #hour = 0;
  #minute = 0;
  #second = 0;
  #micros = 0;
  #isTwelveHour = false;
  #isAfternoon = false;
  #offsetMinutes: number | undefined;
  #zone: string;
  #epochSeconds: number | undefined;

  constructor(format: string, text: string, zone: string) {
    this.#format = format;
    this.#text = text;
    this.#zone = zone;
  }

  /**
   * Microseconds since 1970-01-01 00:00:00 UTC.
   *
   * @throws Failure when the text doesn't match the format, or the time is outside the years 1 to 9999
   */
  instant(): bigint {
    this.#skipSpace();
    const rest = this.#read(this.#format, true);
    this.#skipSpace();
    if (this.#at !== this.#text.length || !/^(?:\s|%[nt])*$/.test(rest)) throw this.#mismatch();
    const instant =
      this.#epochSeconds === undefined ? this.#fromFields() : BigInt(this.#epochSeconds) * microsPerSecond;
    if (instant < firstMicros || instant > lastMicros)
      throw new Failure('Invalid result from parsing function');
    return instant;
  }

  #fromFields(): bigint {
    const { year, month, day } = this.#date.resolve();
    if (day > daysInMonth(year, month)) throw new Failure('Out-of-range datetime field in parsing function');
    const hour = this.#hour + (this.#isTwelveHour && this.#isAfternoon ? 12 : 0);
    // A leap second is the first second of the next minute.
    const micros = this.#second === 60 ? 0 : this.#micros;
    const ofDay = ((hour * 60 + this.#minute) * 60 + this.#second) * 1_000_000 + micros;
    const civil = BigInt(dayNumber(year, month, day)) * microsPerDay + BigInt(ofDay);
    if (this.#offsetMinutes !== undefined) return civil - BigInt(this.#offsetMinutes) * microsPerMinute;
    return this.#zone === 'UTC' ? civil : instantOfCivil(civil, this.#zone);
  }

  /** Parses the format as far as the text goes, and returns the rest of the format. */
  #read(format: string, isOutermost: boolean): string {
    let at = 0;
    while (at < format.length && (isOutermost ? this.#hasText() : this.#at !== failed)) {
      const character = format[at] as string;
      if (whiteSpace.test(character)) {
        this.#skipSpace();
        at++;
      } else if (character !== '%') {
        if (this.#text[this.#at] !== character) throw this.#mismatch();
        this.#at++;
        at++;
      } else {
        const element = /^%(?:E(?:[*0-9]S|4Y|.)|O.|.)/s.exec(format.slice(at))?.[0];
        if (element === undefined) throw new Failure("Format string cannot end with a single '%'");
        if (isOutermost) this.#date.nextElement();
        this.#element(element.slice(1), !isOutermost || format[at + element.length] === '%');
        at += element.length;
      }
    }
    return format.slice(at);
  }

  #element(name: string, isBeforeElement: boolean): void {
    const parts = composed[/^[EO]?(.)$/s.exec(name)?.[1] ?? ''];
    if (parts !== undefined) {
      this.#read(parts, false);
      return;
    }
    switch (name) {
      case 'Y':
      case 'EY':
        this.#number(isBeforeElement ? 4 : 5, 0, isBeforeElement ? 9999 : 10_000, (n) =>
          this.#date.setYear(n),
        );
        return;
      case 'E4Y': {
        const start = this.#at;
        this.#number(4, 0, 9999, (n) => this.#date.setYear(n));
        if (this.#at !== start + 4) this.#at = failed;
        return;
      }
      case 'C':
      case 'EC':
        this.#number(isBeforeElement ? 2 : 3, 0, isBeforeElement ? 99 : 100, (n) => this.#date.setCentury(n));
        return;
      case 'y':
      case 'Ey':
      case 'Oy':
        this.#number(2, 0, 99, (n) => this.#date.setYearOfCentury(n));
        return;
      case 'm':
      case 'Om':
        this.#number(2, 1, 12, (n) => this.#date.setMonth(n));
        return;
      case 'B':
      case 'b':
      case 'h':
        this.#name(fullMonths, (index) => this.#date.setMonth(index + 1));
        return;
      case 'd':
      case 'e':
      case 'Od':
      case 'Oe':
        if (name !== 'd') this.#skipSpace();
        this.#number(2, 1, 31, (n) => this.#date.setDay(n));
        return;
      case 'Q':
        this.#number(1, 1, 4, (n) => this.#date.setQuarter(n));
        return;
      case 'H':
      case 'k':
      case 'OH':
        if (name !== 'H') this.#skipSpace();
        this.#number(2, 0, 23, (n) => {
          this.#hour = n;
          this.#isTwelveHour = false;
        });
        return;
      case 'I':
      case 'l':
      case 'OI':
        this.#skipSpace();
        this.#number(2, 1, 12, (n) => {
          this.#hour = n % 12;
          this.#isTwelveHour = true;
        });
        return;
      case 'p':
      case 'P':
        this.#meridian();
        return;
      case 'M':
      case 'OM':
        this.#number(2, 0, 59, (n) => {
          this.#minute = n;
        });
        return;
      case 'S':
      case 'OS':
        this.#seconds(undefined);
        return;
      case 's':
        this.#number(12, -62_135_596_800, 253_402_300_799, (n) => {
          this.#epochSeconds = n;
        });
        this.#date.noteNonIso();
        return;
      case 'z':
        this.#offset(false);
        return;
      case 'Ez':
        if (this.#text[this.#at] === 'Z') {
          this.#at++;
          this.#offsetMinutes = 0;
        } else {
          this.#offset(true);
        }
        return;
      case 'Z':
        this.#zoneName();
        return;
      case 'n':
      case 't':
        this.#skipSpace();
        return;
      case '%':
        if (this.#text[this.#at] === '%') this.#at++;
        else this.#at = failed;
        return;
      case 'A':
      case 'a':
        this.#name(fullDays, (index) => this.#date.add('weekday', index));
        return;
      case 'u':
      case 'Ou':
        this.#number(1, 1, 7, (n) => this.#date.add('weekday', n % 7));
        return;
      case 'w':
      case 'Ow':
        this.#number(1, 0, 6, (n) => this.#date.add('weekday', n));
        return;
      case 'U':
      case 'OU':
        this.#number(2, 0, 53, (n) => this.#date.add('sundayWeek', n));
        return;
      case 'W':
      case 'OW':
        this.#number(2, 0, 53, (n) => this.#date.add('mondayWeek', n));
        return;
      case 'V':
      case 'OV':
        this.#number(2, 1, 53, (n) => this.#date.add('isoWeek', n));
        return;
      case 'j':
        this.#number(3, 1, 366, (n) => this.#date.add('dayOfYear', n));
        return;
      case 'J':
        this.#number(3, 1, 371, (n) => this.#date.add('isoDayOfYear', n));
        return;
      case 'G':
        this.#number(20, 0, 99_999, (n) => this.#date.add('isoYear', n));
        return;
      case 'g':
        this.#number(2, 0, 99, (n) => this.#date.add('isoYear', n + (n <= 68 ? 2000 : 1900)));
        return;
      default: {
        const digits = /^E([*0-6])S$/.exec(name)?.[1];
        if (digits === undefined) this.#at = failed;
        else this.#seconds(digits === '*' ? Number.POSITIVE_INFINITY : Number(digits));
      }
    }
  }

  /** A number with a maximum length, including its sign. Minus zero is not a number. */
  #number(width: number, min: number, max: number, use: (value: number) => void): void {
    if (this.#at === failed) return;
    const { end, value } = this.#digits(width);
    this.#at = end;
    if (value === undefined || value < min || value > max) this.#at = failed;
    else use(value);
  }

  #digits(width: number): { readonly end: number; readonly value: number | undefined } {
    const isNegative = this.#text[this.#at] === '-';
    const start = this.#at + (isNegative ? 1 : 0);
    let end = start;
    while (end - this.#at < width && isDigit(this.#text.charCodeAt(end))) end++;
    if (end === start) return { end: failed, value: undefined };
    const value = Number(this.#text.slice(start, end));
    return { end, value: isNegative ? (value === 0 ? undefined : -value) : value };
  }

  /** Seconds with an optional fraction with a maximum number of digits. Undefined means no fraction. */
  #seconds(maxDigits: number | undefined): void {
    this.#number(2, 0, 60, (n) => {
      this.#second = n;
    });
    if (this.#at === failed || !maxDigits || this.#text[this.#at] !== '.') return;
    const start = this.#at + 1;
    let end = start;
    while (end - start < maxDigits && isDigit(this.#text.charCodeAt(end))) end++;
    this.#micros = Number(this.#text.slice(start, Math.min(end, start + 6)).padEnd(6, '0'));
    this.#at = end === start ? failed : end;
  }

  #name(names: readonly string[], use: (index: number) => void): void {
    if (this.#at === failed) return;
    const found = readName(names, this.#text, this.#at);
    this.#at = found?.end ?? failed;
    if (found !== undefined) use(found.index);
  }

  #meridian(): void {
    const word = this.#text.slice(this.#at, this.#at + 2).toLowerCase();
    this.#isAfternoon = word === 'pm';
    this.#at = word === 'am' || word === 'pm' ? this.#at + 2 : failed;
  }

  #offset(mayHaveColon: boolean): void {
    const form = mayHaveColon ? /([+-])(\d\d)(?::?([0-5]\d))?/y : /([+-])(\d\d)([0-5]\d)?/y;
    form.lastIndex = this.#at;
    const parts = form.exec(this.#text);
    if (parts === null || Number(parts[2]) > 23) {
      this.#at = failed;
      return;
    }
    const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
    if (minutes > 14 * 60)
      throw new Failure(`Timezone offset out of valid range -14:00 to +14:00: ${parts[0]}`);
    this.#offsetMinutes = parts[1] === '-' ? -minutes : minutes;
    this.#at = form.lastIndex;
  }

  #zoneName(): void {
    const start = this.#at;
    while (this.#hasText() && !whiteSpace.test(this.#text[this.#at] as string)) this.#at++;
    const zone = this.#text.slice(start, this.#at);
    assertZone(zone);
    this.#zone = zone;
    this.#offsetMinutes = undefined;
  }

  #hasText(): boolean {
    return this.#at !== failed && this.#at < this.#text.length;
  }

  #skipSpace(): void {
    while (this.#hasText() && whiteSpace.test(this.#text[this.#at] as string)) this.#at++;
  }

  #mismatch(): Failure {
    return new Failure(`Failed to parse input string ${JSON.stringify(this.#text)}`);
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
