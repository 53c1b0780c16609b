import { dateText } from '../../../sql/values/value-text.ts';
import type { ByteWriter } from './byte-writer.ts';
import { writeDigits } from './write-integer.ts';

const microsPerSecond = 1_000_000;
const microsPerDay = 86_400 * microsPerSecond;
const [colon, point, letterT] = [0x3a, 0x2e, 0x54];

/** Writes a DATE, in days since 1970-01-01. */
export function writeDate(out: ByteWriter, days: number): void {
  out.ascii(dateText(days));
}

/** Writes a DATETIME, in microseconds since 1970-01-01, which must be a safe integer. */
export function writeDatetime(out: ByteWriter, micros: number): void {
  const days = Math.floor(micros / microsPerDay);
  writeDate(out, days);
  out.byte(letterT);
  writeTime(out, micros - days * microsPerDay);
}

/** Writes a TIME, in microseconds since midnight. */
export function writeTime(out: ByteWriter, micros: number): void {
  const seconds = Math.floor(micros / microsPerSecond);
  const fraction = micros - seconds * microsPerSecond;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  writeDigits(out, hours, 2);
  out.byte(colon);
  writeDigits(out, minutes - hours * 60, 2);
  out.byte(colon);
  writeDigits(out, seconds - minutes * 60, 2);
  if (fraction === 0) return;
  out.byte(point);
  writeDigits(out, fraction, 6);
}
