import { parseTimestamp } from '../../../../sql/values/timestamp-text.ts';
import type { Value } from '../../../../sql/values/value.ts';
import type { Expression } from '../../dialect/expression.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import {
  civilText,
  civilTimeInNamed,
  civilToMinute,
  instantInNamed,
  offsetText,
  stringToTimestamp,
  stringToTimestampIn,
} from '../../macros/time.ts';
import { civilMicros, instantMicros } from '../../udf/time/time-functions.ts';
import { isZoneName, offsetMinutes } from '../../udf/time/time-zone.ts';

/** The time zone for an instant. Undefined means UTC. */
type Zone = Expression | undefined;

/** Names of the zone in which instants and civil times are equal. */
const utc: ReadonlySet<unknown> = new Set(['UTC', 'Etc/UTC', '+0', '+00', '+00:00', '-00:00']);

/** Whether the zone is a constant equal to UTC. */
export function isUtc(zone: Expression): boolean {
  return utc.has(zone.constant?.value);
}

/** The zone, or undefined for UTC. */
function otherThanUtc(zone: Zone): Zone {
  return zone !== undefined && isUtc(zone) ? undefined : zone;
}

/** The offset of a constant zone without a name, as an interval. */
function fixedOffset({ constant }: Expression): string | undefined {
  const zone = constant?.value;
  const minutes = typeof zone === 'string' ? offsetMinutes(zone) : undefined;
  return minutes === undefined ? undefined : `to_minutes(${minutes})`;
}

function isNamed({ constant }: Expression): boolean {
  const zone = constant?.value;
  return typeof zone === 'string' && isZoneName(zone);
}

/**
 * The civil time of an instant in a zone. DuckDB accepts other zone names than GoogleSQL, so the function in JavaScript
 * handles zones that are invalid or not constant.
 *
 * @param safe whether an invalid zone returns NULL
 */
export function civilIn(t: string, where: Zone, safe = false): string {
  const zone = otherThanUtc(where);
  if (zone === undefined) return t;
  const offset = fixedOffset(zone);
  if (offset !== undefined) return `(${t} + ${offset})`;
  if (isNamed(zone)) return civilTimeInNamed.call([t, zone.sql]);
  return `make_timestamp(${civilMicros.call([`epoch_us(${t})`, zone.sql], safe)})`;
}

/** The instant of a civil time in a zone. */
export function instantIn(civil: string, where: Zone, safe = false): string {
  const zone = otherThanUtc(where);
  if (zone === undefined) return civil;
  const offset = fixedOffset(zone);
  if (offset !== undefined) return `(${civil} - ${offset})`;
  if (isNamed(zone)) return instantInNamed.call([civil, zone.sql]);
  return `make_timestamp(${instantMicros.call([`epoch_us(${civil})`, zone.sql], safe)})`;
}

/** The text of an instant in a zone. */
export function instantTextIn(t: string, where: Zone, safe = false): string {
  const zone = otherThanUtc(where);
  if (zone === undefined) return civilText.call([t, "'+00'"]);
  const civil = civilIn(t, zone, safe);
  return civilText.call([civilToMinute.call([t, civil]), offsetText.call([t, civil])]);
}

/** The instant that a text represents. If `where` is given, the text must not contain a zone. */
export function instantOfText(
  text: Pick<Expression, 'sql' | 'constant'>,
  where: Zone,
  safe: boolean,
): string {
  if (where !== undefined) return stringToTimestampIn.call([text.sql, where.sql], safe);
  const civil = utcTextParts(text.constant?.value);
  if (civil === undefined) return stringToTimestamp.call([text.sql], safe);
  return safe ? `TRY_CAST(${civil} AS TIMESTAMP)` : `CAST(${civil} AS TIMESTAMP)`;
}

/**
 * The civil part of a constant text in UTC, as SQL. Bounds of time have this form, and DuckDB can only prune by
 * constants. The macro handles texts that are not an instant, and reports their errors.
 */
function utcTextParts(text: Value | undefined): string | undefined {
  const match =
    typeof text === 'string'
      ? /^([1-9]\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?)?)Z?$/.exec(text)
      : null;
  return match?.[1] && parseTimestamp(match[0]) !== undefined ? stringLiteral(match[1]) : undefined;
}
