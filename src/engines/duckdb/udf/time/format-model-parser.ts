import { daysInMonth } from '../../../../sql/values/civil-text.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerDay } from '../../../../sql/values/time-units.ts';
import type { TimeKind } from './allowed-elements.ts';
import { calendarDay, dayNumber, firstMicros, lastMicros, splitMicros } from './calendar.ts';
import type { FormatElement } from './format-model.ts';
import { checkedForParsing } from './format-model-check.ts';
import { fullMonths } from './names.ts';
import { civilOfInstant, instantOfCivil } from './time-zone.ts';

/** The numbers of elements: their maximum digits and range. */
const numbers: Readonly<Record<string, readonly [digits: number, min: number, max: number]>> = {
  YYYY: [4, 0, 10_000],
  RRRR: [4, 0, 10_000],
  YYY: [3, 0, 999],
  YY: [2, 0, 99],
  Y: [1, 0, 9],
  RR: [2, 0, 99],
  MM: [2, 1, 12],
  DD: [2, 1, 31],
  HH: [2, 1, 12],
  HH12: [2, 1, 12],
  HH24: [2, 0, 23],
  MI: [2, 0, 59],
  SS: [2, 0, 59],
  SSSSS: [5, 0, 86_399],
  TZM: [2, 0, 59],
};

/**
 * Parses a time with a format of CAST(... FORMAT ...). Parts that are not in the format are taken from midnight on the
 * first day of the current month. Numbers may have fewer digits than their elements, unless a digit follows.
 *
 * @param now the current time, in microseconds since the epoch
 * @returns microseconds since 1970-01-01 00:00:00 UTC
 * @throws Failure when the text doesn't match the format
 */
export function readByModel(text: string, kind: TimeKind, format: string, zone: string, now: bigint): bigint {
  return new ModelParser(text, zone, now).read(checkedForParsing(format, kind));
}

class ModelParser {
  readonly #text: string;
  readonly #zone: string;
  #at = 0;
  #year: number;
  #month: number;
  #day = 1;
  #hour = 0;
  #minute = 0;
  #second = 0;
  #micros = 0;
  #hourOfTwelve: number | undefined;
  #isAfternoon = false;
  #offsetSign = 1;
  #offset: { hours: number; minutes: number } | undefined;

  constructor(text: string, zone: string, now: bigint) {
    this.#text = text;
    this.#zone = zone;
    const today = calendarDay(splitMicros(civilOfInstant(now, zone)).days);
    this.#year = today.year;
    this.#month = today.month;
  }

  read(elements: readonly FormatElement[]): bigint {
    this.#skipSpace();
    for (const [i, element] of elements.entries()) {
      if (this.#at >= this.#text.length && element.text !== '')
        throw new Failure(
          `Entire timestamp string has been parsed before dealing with format element '${shown(element)}'`,
        );
      const start = this.#at;
      if (!this.#element(element, precedesDigit(elements, i)))
        throw new Failure(
          `Failed to parse input timestamp string at ${start} with format element '${shown(element)}'`,
        );
    }
    this.#skipSpace();
    if (this.#at < this.#text.length)
      throw new Failure(
        `Illegal non-space trailing data '${this.#text.slice(this.#at)}' in timestamp string`,
      );
    return this.#instant();
  }

  #instant(): bigint {
    const [year, month, day] = [this.#year, this.#month, this.#day];
    if (day > daysInMonth(year, month))
      throw new Failure('Invalid result from year, month, day values after parsing');
    const twelve = this.#hourOfTwelve;
    const hour = twelve === undefined ? this.#hour : (twelve % 12) + (this.#isAfternoon ? 12 : 0);
    // The next day would be none of a TIME.
    if (this.#micros === 1_000_000 && hour === 23 && this.#minute === 59 && this.#second === 59)
      throw new Failure('The fraction of the last second of a day is rounded to the next day');
    const ofDay = ((hour * 60 + this.#minute) * 60 + this.#second) * 1_000_000 + this.#micros;
    const civil = BigInt(dayNumber(year, month, day)) * microsPerDay + BigInt(ofDay);
    const instant =
      this.#offset === undefined ? instantOfCivil(civil, this.#zone) : this.#withOffset(civil, this.#offset);
    if (instant < firstMicros || instant > lastMicros)
      throw new Failure('The parsing result is out of valid time range');
    return instant;
  }

  #withOffset(civil: bigint, { hours, minutes }: { hours: number; minutes: number }): bigint {
    const sign = this.#offsetSign < 0 ? '-' : '+';
    return instantOfCivil(civil, `${sign}${hours}:${String(minutes).padStart(2, '0')}`);
  }

  /** Whether the text continues with the element. */
  #element({ name, text }: FormatElement, isBeforeDigit: boolean): boolean {
    switch (name) {
      case 'TEXT':
        return this.#take(text);
      case 'SPACE':
        return this.#skipSpace();
      case 'MON':
      case 'MONTH':
        return this.#monthName(name === 'MON');
      case 'Y,YYY':
        return this.#yearWithComma();
      case 'A.M.':
      case 'P.M.': {
        const word = this.#text.slice(this.#at, this.#at + 4).toUpperCase();
        this.#isAfternoon = word === 'P.M.';
        this.#at += 4;
        return word === 'A.M.' || word === 'P.M.';
      }
      case 'TZH': {
        const sign = this.#text.charAt(this.#at++);
        this.#offsetSign = sign === '-' ? -1 : 1;
        const hours = this.#number(isBeforeDigit ? 2 : 1, 2, 0, 14);
        this.#offset = { minutes: 0, ...this.#offset, hours: hours ?? 0 };
        return /^[+\- ]$/.test(sign) && hours !== undefined;
      }
      default:
        return name.startsWith('FF')
          ? this.#fraction(Number(name[2]), isBeforeDigit)
          : this.#numeric(name, isBeforeDigit);
    }
  }

  #numeric(name: string, isBeforeDigit: boolean): boolean {
    const rule = numbers[name];
    if (rule === undefined) return false;
    const [digits, min, max] = rule;
    const maxDigits = digits === 4 && !isBeforeDigit ? 5 : digits;
    const value = this.#number(isBeforeDigit ? digits : 1, maxDigits, min, max);
    if (value === undefined) return false;
    this.#set(name, value);
    return true;
  }

  #set(name: string, value: number): void {
    switch (name) {
      case 'YYYY':
      case 'RRRR':
        this.#year = value;
        return;
      case 'YYY':
      case 'YY':
      case 'Y':
        this.#year = this.#year - (this.#year % 10 ** name.length) + value;
        return;
      case 'RR':
        this.#year = roundedYear(this.#year, value);
        return;
      case 'MM':
        this.#month = value;
        return;
      case 'DD':
        this.#day = value;
        return;
      case 'HH':
      case 'HH12':
        this.#hourOfTwelve = value;
        return;
      case 'HH24':
        this.#hour = value;
        return;
      case 'MI':
        this.#minute = value;
        return;
      case 'SS':
        this.#second = value;
        return;
      case 'SSSSS':
        this.#hour = Math.floor(value / 3600);
        this.#minute = Math.floor(value / 60) % 60;
        this.#second = value % 60;
        return;
      case 'TZM':
        this.#offset = { hours: 0, ...this.#offset, minutes: value };
    }
  }

  #number(minDigits: number, maxDigits: number, min: number, max: number): number | undefined {
    const digits = new RegExp(`\\d{${minDigits},${maxDigits}}`, 'y');
    digits.lastIndex = this.#at;
    const found = digits.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    const value = Number(found);
    return value >= min && value <= max ? value : undefined;
  }

  /** The digits of a fraction. Those beyond the element's are rounded: BigQuery's documentation says so of FF1 to FF9. */
  #fraction(maxDigits: number, isBeforeDigit: boolean): boolean {
    const digits = new RegExp(isBeforeDigit ? `\\d{${maxDigits}}` : '\\d{1,9}', 'y');
    digits.lastIndex = this.#at;
    const found = digits.exec(this.#text)?.[0];
    if (found === undefined) return false;
    this.#at += found.length;
    // Digits beyond microseconds are truncated.
    const kept = Math.min(maxDigits, found.length);
    const isUp = maxDigits < found.length && found.charAt(maxDigits) >= '5';
    this.#micros = Math.trunc((Number(found.slice(0, kept)) + Number(isUp)) * 10 ** (6 - kept));
    return true;
  }

  #monthName(isShort: boolean): boolean {
    const rest = this.#text.slice(this.#at).toLowerCase();
    const index = fullMonths.findIndex((month) =>
      rest.startsWith((isShort ? month.slice(0, 3) : month).toLowerCase()),
    );
    const name = fullMonths[index];
    if (name === undefined) return false;
    this.#month = index + 1;
    this.#at += isShort ? 3 : name.length;
    return true;
  }

  #yearWithComma(): boolean {
    const form = /(\d{1,2}),(\d{3})/y;
    form.lastIndex = this.#at;
    const match = form.exec(this.#text);
    if (match === null) return false;
    this.#at = form.lastIndex;
    this.#year = Number(match[1]) * 1000 + Number(match[2]);
    return this.#year <= 10_000;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Returns whether there was any. */
  #skipSpace(): boolean {
    const space = /\s*/y;
    space.lastIndex = this.#at;
    space.test(this.#text);
    const found = space.lastIndex > this.#at;
    this.#at = space.lastIndex;
    return found;
  }
}

/**
 * The year with these last two digits, as seen from another year: in the same century if both are in the same half of
 * a century, else in the next century after a late half, and in the previous century after an early half.
 */
function roundedYear(year: number, lastDigits: number): number {
  const century = Math.floor(year / 100);
  const isLate = year % 100 >= 50;
  if (lastDigits < 50 && isLate) return (century + 1) * 100 + lastDigits;
  return (lastDigits >= 50 && !isLate ? century - 1 : century) * 100 + lastDigits;
}

/** Whether the next element begins with a digit, so that this one needs all its digits. */
function precedesDigit(elements: readonly FormatElement[], index: number): boolean {
  const next = elements[index + 1];
  if (next === undefined || next.name === 'SPACE') return false;
  if (next.name === 'TEXT')
    return next.text === '' ? precedesDigit(elements, index + 1) : /^\d/.test(next.text);
  return next.name in numbers || next.name === 'Y,YYY' || next.name.startsWith('FF');
}

function shown({ name, text }: FormatElement): string {
  return name === 'TEXT' || name === 'SPACE' ? text : name;
}
