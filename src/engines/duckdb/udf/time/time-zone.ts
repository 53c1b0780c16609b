import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerDay, microsPerMinute, microsPerSecond } from '../../../../sql/values/time-units.ts';
import { keptByText } from '../js/kept-by-text.ts';

/** Returns the microseconds to add to UTC for the civil time at an instant. */
type OffsetAt = (instant: bigint) => bigint;

const offsetForm = /^(?:UTC)?([+-])(?:(\d{1,2})(?::(\d{1,2}))?|(\d{4}))$/;
const maxOffsetMinutes = 14 * 60;

/** The civil time of an instant in a zone, in microseconds. */
export function civilOfInstant(instant: bigint, zone: string): bigint {
  return instant + offsetsOf(zone)(instant);
}

/**
 * The instant of a civil time in a zone. Of the two instants when clocks are set back, the first is used. A skipped
 * civil time uses the offset before the change.
 *
 * @throws Failure when the zone doesn't exist
 */
export function instantOfCivil(civil: bigint, zone: string): bigint {
  const offsetAt = offsetsOf(zone);
  const before = offsetAt(civil - microsPerDay);
  const first = civil - before;
  const after = offsetAt(first);
  if (after === before) return first;
  const second = civil - after;
  return offsetAt(second) === after ? second : first;
}

/** Zones whose offsets are kept at a time. Each may keep 10,000 days. */
const maxZones = 50;

/** @throws Failure when the zone doesn't exist */
const offsetsOf = keptByText((zone): OffsetAt => fixedOffset(zone) ?? namedZone(zone), maxZones);

/** The offset from UTC in minutes of a zone written as `+5`, `-08:00`, `+0530` or `UTC+5`. Undefined for names. */
export function offsetMinutes(zone: string): number | undefined {
  if (zone === 'UTC') return 0;
  const parts = offsetForm.exec(zone);
  if (parts === null) return undefined;
  const [, sign, hours, minutes = '0', fourDigits = ''] = parts;
  const total =
    fourDigits === ''
      ? Number(hours) * 60 + Number(minutes)
      : Number(fourDigits.slice(0, 2)) * 60 + Number(fourDigits.slice(2));
  if (Number(fourDigits.slice(2) || minutes) > 59 || total > maxOffsetMinutes) return undefined;
  return sign === '-' ? -total : total;
}

function fixedOffset(zone: string): OffsetAt | undefined {
  const minutes = offsetMinutes(zone);
  if (minutes === undefined) return undefined;
  const offset = BigInt(minutes) * microsPerMinute;
  return () => offset;
}

/** Offsets by day: if a day has the same offset at both ends, it has no other. */
function namedZone(zone: string): OffsetAt {
  const format = formatOf(zone);
  const days = new Map<bigint, bigint | undefined>();
  return (instant) => {
    const day = instant / microsPerDay;
    if (!days.has(day)) {
      if (days.size > 10_000) days.clear();
      const [start, end] = [
        measureOffset(format, (day - 1n) * microsPerDay),
        measureOffset(format, (day + 1n) * microsPerDay),
      ];
      days.set(day, start === end ? start : undefined);
    }
    return days.get(day) ?? measureOffset(format, instant);
  };
}

/** Names of the tz database, in its own spelling. */
function formatOf(zone: string): Intl.DateTimeFormat {
  if (zone === '') throw new Failure('Invalid empty time zone');
  if (!isZoneName(zone)) throw new Failure(`Invalid time zone: ${zone}`);
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function measureOffset(format: Intl.DateTimeFormat, instant: bigint): bigint {
  const seconds = instant / microsPerSecond - (instant % microsPerSecond < 0n ? 1n : 0n);
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(Number(seconds) * 1000)) parts[type] = value;
  const civil = new Date(0);
  const year = Number(parts.year);
  civil.setUTCFullYear(parts.era === 'BC' ? 1 - year : year, Number(parts.month) - 1, Number(parts.day));
  civil.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return (BigInt(civil.getTime() / 1000) - seconds) * microsPerSecond;
}

/** Whether this is a zone's name in the tz database, in its own spelling. */
export const isZoneName = keptByText(
  (name) => /^[A-Z][A-Za-z0-9_+/-]*$/.test(name) && !shortNames.has(name) && isKnownToIntl(name),
);

/** Abbreviations that ICU accepts as zones, but the tz database lacks. */
const shortNames = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
);

/** `Intl` accepts names in any letter case. */
function isKnownToIntl(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** @throws Failure when the zone doesn't exist */
export function assertZone(zone: string): void {
  offsetsOf(zone);
}
