import { withoutTrailingZeros } from '../../base/text/trailing-zeros.ts';
import { microsPerHour, microsPerMinute, microsPerSecond } from './time-units.ts';

/** The text forms of values that are strings in `Value`. */

const millisPerDay = 86_400_000;
const secondsPerDay = 86_400;

/** `00` to `59`. */
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The last date is cached: adjacent rows are mostly of one day, and formatting it takes the most time. */
let lastDays = 0;
let lastDate = '1970-01-01';

/** The text form of a DATE, given as days since 1970-01-01. */
export function dateText(days: number): string {
  if (days !== lastDays) {
    lastDate = new Date(days * millisPerDay).toISOString().slice(0, 10);
    lastDays = days;
  }
  return lastDate;
}

/** The text form of a DATETIME, given as microseconds since 1970-01-01T00:00:00. */
export function datetimeTextOfMicros(micros: bigint): string {
  // Numbers are exact in this range, and faster than bigints.
  const seconds = Number(micros / microsPerSecond);
  const fraction = Number(micros % microsPerSecond);
  const days = Math.floor((fraction < 0 ? seconds - 1 : seconds) / secondsPerDay);
  return `${dateText(days)}T${clockText((seconds - days * secondsPerDay) * 1_000_000 + fraction)}`;
}

function clockText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  const minutes = Math.floor(seconds / 60);
  const [hour, minute, second] = [Math.floor(minutes / 60), minutes % 60, seconds % 60];
  const clock = `${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[second]}`;
  return fraction === 0 ? clock : `${clock}.${String(fraction).padStart(6, '0')}`;
}

/** The text form of a TIME, given as microseconds since midnight. */
export function timeTextOfMicros(micros: bigint): string {
  return clockText(Number(micros));
}

/** The text form of `unscaled * 10^-scale`: no exponent, no trailing zeros. */
export function formatDecimal(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = withoutTrailingZeros(digits.slice(digits.length - scale));
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** The text form of an INTERVAL: `Y-M D H:M:S[.f]`, each of the three parts with its own sign. */
export function formatInterval(months: number, days: number, micros: bigint): string {
  const [monthSign, absoluteMonths] = months < 0 ? ['-', -months] : ['', months];
  const [timeSign, time] = micros < 0n ? ['-', -micros] : ['', micros];
  const [hours, minutes] = [time / microsPerHour, (time / microsPerMinute) % 60n];
  const [seconds, fraction] = [(time / microsPerSecond) % 60n, time % microsPerSecond];
  const calendar = `${monthSign}${Math.trunc(absoluteMonths / 12)}-${absoluteMonths % 12}`;
  return `${calendar} ${days} ${timeSign}${hours}:${minutes}:${seconds}${intervalFraction(fraction)}`;
}

/** Three digits if they suffice, else six. */
function intervalFraction(micros: bigint): string {
  if (micros === 0n) return '';
  const digits = micros.toString().padStart(6, '0');
  return `.${digits.endsWith('000') ? digits.slice(0, 3) : digits}`;
}
