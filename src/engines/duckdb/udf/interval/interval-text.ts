import { withoutTrailingZeros } from '../../../../base/text/trailing-zeros.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerHour, microsPerMinute, microsPerSecond } from '../../../../sql/values/time-units.ts';
import { type Interval, intervalOf } from '../js/interval.ts';

const calendar = '([+-]?)(\\d+)-(\\d+)';
const days = '([+-]?\\d+)';
const clock = '([+-]?)(\\d+):(\\d+):(\\d+)(?:\\.(\\d{1,9}))?';

/** `Y-M D H:M:S[.f]`, or the parts `Y-M D`, `D H:M:S`, `Y-M` or `H:M:S` of it. */
const plain = new RegExp(`^(?:${calendar}(?: ${days}(?: ${clock})?)?|(?:${days} )?${clock})$`);

const iso =
  /^P(?=.)(?:([+-]?\d+)Y)?(?:([+-]?\d+)M)?(?:([+-]?\d+)W)?(?:([+-]?\d+)D)?(?:T(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?\d+)(?:[.,](\d{1,9}))?S)?)?$/;

/**
 * Parses an interval in BigQuery's own form or that of ISO 8601.
 *
 * @throws Failure when the text is not an interval
 */
export function readInterval(text: string): Interval {
  const found = readPlain(text) ?? readIso(text);
  if (found === undefined) throw new Failure(`Invalid INTERVAL value '${text}'`);
  return found;
}

function readPlain(text: string): Interval | undefined {
  const parts = plain.exec(text);
  if (parts === null) return undefined;
  const [, sign, years = '0', months = '0'] = parts;
  const dayText = parts[4] ?? parts[10] ?? '0';
  const time = parts[6] === undefined ? parts.slice(11) : parts.slice(5);
  const [timeSign, hours = '0', minutes = '0', seconds = '0', fraction = ''] = time;
  const allMonths = BigInt(years) * 12n + BigInt(months);
  const micros =
    ((BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * microsPerSecond + microsOf(fraction);
  return intervalOf(signed(sign, allMonths), BigInt(dayText), signed(timeSign, micros));
}

function readIso(text: string): Interval | undefined {
  const parts = iso.exec(text);
  if (parts === null) return undefined;
  const [years, months, weeks, dayCount, hours, minutes] = parts
    .slice(1, 7)
    .map((part) => BigInt(part ?? 0)) as [bigint, bigint, bigint, bigint, bigint, bigint];
  const seconds = parts[7] ?? '0';
  const sign = seconds.startsWith('-') ? '-' : '';
  const whole = BigInt(seconds.replace(/^[+-]/, ''));
  const secondMicros = signed(sign, whole * microsPerSecond + microsOf(parts[8] ?? ''));
  return intervalOf(
    years * 12n + months,
    weeks * 7n + dayCount,
    (hours * 60n + minutes) * microsPerMinute + secondMicros,
  );
}

/** Digits beyond microseconds are truncated. */
function microsOf(fraction: string): bigint {
  return BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

function signed(sign: string | undefined, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** In ISO 8601's form with a sign for every part, as in JSON. */
export function isoInterval({ months, days: dayCount, micros }: Interval): string {
  const part = (value: bigint | number, unit: string) => (Number(value) === 0 ? '' : `${value}${unit}`);
  const date = part(Math.trunc(months / 12), 'Y') + part(months % 12, 'M') + part(dayCount, 'D');
  const time =
    part(micros / microsPerHour, 'H') +
    part((micros / microsPerMinute) % 60n, 'M') +
    secondsPart(micros % microsPerMinute);
  return `P${date}${time === '' ? '' : `T${time}`}`.replace(/^P$/, 'P0Y');
}

function secondsPart(micros: bigint): string {
  if (micros === 0n) return '';
  const size = micros < 0n ? -micros : micros;
  const fraction = withoutTrailingZeros(String(size % microsPerSecond).padStart(6, '0'));
  return `${micros < 0n ? '-' : ''}${size / microsPerSecond}${fraction === '' ? '' : `.${fraction}`}S`;
}
