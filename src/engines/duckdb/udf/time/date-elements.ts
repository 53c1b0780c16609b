import { Failure } from '../../../../sql/regexp/syntax.ts';
import {
  type CalendarDay,
  calendarDay,
  dayNumber,
  daysInMonth,
  isLeapYear,
  isoYearStart,
  weekday,
} from './calendar.ts';

/** Elements that determine a day by other parts than year, month and day. */
type Element = 'weekday' | 'sundayWeek' | 'mondayWeek' | 'isoWeek' | 'dayOfYear' | 'isoDayOfYear' | 'isoYear';

interface Read {
  readonly element: Element;
  readonly value: number;
  readonly position: number;
}

const nonIso = new Set<Element>(['sundayWeek', 'mondayWeek', 'dayOfYear']);

/**
 * The elements of a date read so far. The last of several elements for the same part is used, ISO elements count only
 * without others, and a weekday only together with a week.
 */
export class DateElements {
  #year = 1970;
  #yearOfCentury = 0;
  #century: number | undefined;
  #isCenturyExplicit = false;
  #month = 1;
  #day = 1;
  #position = 0;
  #yearPosition = -1;
  #monthPosition = -1;
  #dayPosition = -1;
  #hasNonIso = false;
  readonly #others: Read[] = [];

  nextElement(): void {
    this.#position++;
  }

  noteNonIso(): void {
    this.#hasNonIso = true;
  }

  setYear(year: number): void {
    this.#year = year;
    this.#century = undefined;
    this.#isCenturyExplicit = false;
    this.#noteYear();
  }

  setCentury(century: number): void {
    if (this.#century === undefined) this.#yearOfCentury = 0;
    this.#century = century;
    this.#isCenturyExplicit = true;
    this.#noteYear();
  }

  /** Without a century, the year is from 1969 to 2068. */
  setYearOfCentury(year: number): void {
    this.#yearOfCentury = year;
    if (!this.#isCenturyExplicit) this.#century = year < 69 ? 20 : 19;
    this.#noteYear();
  }

  setMonth(month: number): void {
    this.#month = month;
    this.#monthPosition = this.#position;
    this.#hasNonIso = true;
  }

  setDay(day: number): void {
    this.#day = day;
    this.#dayPosition = this.#position;
    this.#hasNonIso = true;
  }

  setQuarter(quarter: number): void {
    this.setMonth(quarter * 3 - 2);
    this.setDay(1);
  }

  add(element: Element, value: number): void {
    this.#others.push({ element, value, position: this.#position });
    if (nonIso.has(element)) this.#hasNonIso = true;
  }

  /** @throws Failure when the day doesn't exist; the caller checks the day of the month */
  resolve(): CalendarDay {
    const year = this.#century === undefined ? this.#year : this.#century * 100 + this.#yearOfCentury;
    const plain = { year, month: this.#month, day: this.#day };
    if (this.#others.length === 0) return plain;
    const isoYear = this.#last('isoYear');
    if (isoYear !== undefined && !this.#hasNonIso) return this.#isoDay(isoYear.value);
    return this.#otherDay(plain);
  }

  #noteYear(): void {
    this.#yearPosition = this.#position;
    this.#hasNonIso = true;
  }

  #last(...elements: Element[]): Read | undefined {
    return this.#others.findLast(({ element }) => elements.includes(element));
  }

  #isoDay(isoYear: number): CalendarDay {
    const start = isoYearStart(isoYear);
    const length = isoYearStart(isoYear + 1) - start;
    const [week, weekDay, dayOfYear] = [
      this.#last('isoWeek'),
      this.#last('weekday'),
      this.#last('isoDayOfYear'),
    ];
    if (week !== undefined && !isLater(dayOfYear, week, weekDay)) {
      if (week.value * 7 > length)
        throw new Failure(`Invalid ISO week ${week.value} specified for ISO year ${isoYear}`);
      return calendarDay(start + (week.value - 1) * 7 + (((weekDay?.value ?? 1) + 6) % 7));
    }
    const day = dayOfYear?.value ?? 1;
    if (day > length)
      throw new Failure(`ISO Year ${isoYear} has ${length} days, but the specified day of year was ${day}`);
    return calendarDay(start + day - 1);
  }

  /** By week or day of the year. Parts of the date after those elements are kept. */
  #otherDay(plain: CalendarDay): CalendarDay {
    const [week, weekDay, dayOfYear] = [
      this.#last('sundayWeek', 'mondayWeek'),
      this.#last('weekday'),
      this.#last('dayOfYear'),
    ];
    const isByWeek = week !== undefined && !isLater(dayOfYear, week, weekDay);
    const source = isByWeek ? week : dayOfYear;
    if (source === undefined) return plain;
    const found = calendarDay(
      isByWeek ? dayOfWeek(plain.year, week, weekDay) : dayOfYearIn(plain.year, source.value),
    );
    const result = {
      year: this.#yearPosition < source.position ? found.year : plain.year,
      month: this.#monthPosition < source.position ? found.month : plain.month,
      day: this.#dayPosition < source.position ? found.day : plain.day,
    };
    if (result.year < 1 || result.year > 9999 || result.day > daysInMonth(result.year, result.month)) {
      const { year, month, day } = result;
      throw new Failure(
        `Out-of-range datetime field in parsing function; year: ${year}, month: ${month}, day: ${day}`,
      );
    }
    return result;
  }
}

/** Whether the day of the year has precedence over the week: it comes later, or the week has no weekday. */
function isLater(dayOfYear: Read | undefined, week: Read, weekDay: Read | undefined): boolean {
  return dayOfYear !== undefined && (dayOfYear.position > week.position || weekDay === undefined);
}

function dayOfYearIn(year: number, day: number): number {
  if (day === 366 && !isLeapYear(year))
    throw new Failure(`Year ${year} has 365 days, but the specified day of year was ${day}`);
  return dayNumber(year, 1, day);
}

/** The first day of a week, or the given weekday in it. Week 1 begins with the year's first Sunday or Monday. */
function dayOfWeek(year: number, week: Read, weekDay: Read | undefined): number {
  const firstWeekday = week.element === 'sundayWeek' ? 0 : 1;
  const january1 = dayNumber(year, 1, 1);
  const daysOfWeek0 = (firstWeekday - weekday(january1) + 7) % 7;
  const firstWeek = january1 + daysOfWeek0;
  const yearLength = isLeapYear(year) ? 366 : 365;
  const [first, last] = [daysOfWeek0 === 0 ? 1 : 0, yearLength - daysOfWeek0 > 364 ? 53 : 52];
  if (week.value < first || week.value > last)
    throw new Failure(`Week number ${week.value} is invalid for year ${year}`);
  const inWeek = weekDay === undefined ? 0 : (weekDay.value - firstWeekday + 7) % 7;
  return firstWeek + (week.value - 1) * 7 + inWeek;
}
