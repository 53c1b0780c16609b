import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerMinute } from '../../../../sql/values/time-units.ts';
import type { TimeKind } from './allowed-elements.ts';
import { calendarDay, dayNumber, splitMicros, weekday } from './calendar.ts';
import { type FormatElement, foreignCategories, formatElements } from './format-model.ts';
import { fullDays, fullMonths } from './names.ts';
import { civilOfInstant } from './time-zone.ts';

/**
 * Formats a time with a format of CAST(... AS STRING FORMAT ...).
 *
 * @param micros the instant, or the civil time of types without a zone
 * @throws Failure for an invalid format, or for elements that are not available for the type
 */
export function writeByModel(micros: bigint, kind: TimeKind, format: string, zone: string): string {
  const offset = zone === 'UTC' ? 0n : civilOfInstant(micros, zone) - micros;
  const minutes = Number(offset / microsPerMinute);
  const { days, ofDay } = splitMicros(micros + BigInt(minutes) * microsPerMinute);
  return formatElements(format)
    .map((element) => {
      const isForeign = foreignCategories[kind].includes(element.category);
      if (isForeign || (kind !== 'TIMESTAMP' && element.category === 'OTHER'))
        throw new Failure(`${kind} does not support '${element.name}'`);
      return write(element, days, ofDay, minutes);
    })
    .join('');
}

function write({ name, text }: FormatElement, days: number, ofDay: number, offset: number): string {
  const { year, month, day } = calendarDay(days);
  const seconds = Math.floor(ofDay / 1_000_000);
  const hour = Math.floor(seconds / 3600);
  switch (name) {
    case 'TEXT':
    case 'SPACE':
      return text;
    case 'YYYY':
    case 'RRRR':
      return padded(year, 4);
    case 'YYY':
    case 'YY':
    case 'Y':
    case 'RR':
      return padded(year % 10 ** name.length, name.length);
    case 'MM':
      return padded(month, 2);
    case 'MON':
      return inCaseOf(text, (fullMonths[month - 1] ?? '').slice(0, 3));
    case 'MONTH':
      return inCaseOf(text, fullMonths[month - 1] ?? '');
    case 'D':
      return String(weekday(days) + 1);
    case 'DD':
      return padded(day, 2);
    case 'DDD':
      return padded(days - dayNumber(year, 1, 1) + 1, 3);
    case 'DAY':
      return inCaseOf(text, fullDays[weekday(days)] ?? '');
    case 'DY':
      return inCaseOf(text, (fullDays[weekday(days)] ?? '').slice(0, 3));
    case 'HH':
    case 'HH12':
      return padded(hour % 12 || 12, 2);
    case 'HH24':
      return padded(hour, 2);
    case 'MI':
      return padded(Math.floor(seconds / 60) % 60, 2);
    case 'SS':
      return padded(seconds % 60, 2);
    case 'SSSSS':
      return padded(seconds, 5);
    case 'AM':
    case 'PM':
      return inCaseOf(text.charAt(0), hour < 12 ? 'AM' : 'PM');
    case 'A.M.':
    case 'P.M.':
      return inCaseOf(text.charAt(0), hour < 12 ? 'A.M.' : 'P.M.');
    case 'TZH':
      return `${offset < 0 ? '-' : '+'}${padded(Math.floor(Math.abs(offset) / 60), 2)}`;
    case 'TZM':
      return padded(Math.abs(offset) % 60, 2);
    default: {
      const digits = /^FF(\d)$/.exec(name)?.[1];
      if (digits === undefined) throw new Failure(`Unsupported format element '${name}'`);
      return `${padded(ofDay % 1_000_000, 6)}000`.slice(0, Number(digits));
    }
  }
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Names have the element's letter case: `MONTH`, `Month` or `month`. */
function inCaseOf(element: string, name: string): string {
  const [first = '', second = ''] = element;
  if (first === first.toLowerCase()) return name.toLowerCase();
  if (second === second.toUpperCase()) return name.toUpperCase();
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
}
