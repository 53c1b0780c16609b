import { parseTimestamp } from '../../../sql/timestamp-text.ts';
import type { Value } from '../../../sql/value.ts';
import type { Expression } from '../emit/expression.ts';
import { stringLiteral } from '../literal.ts';
import {
  civilText,
  civilTime,
  civilTimeInNamed,
  instant,
  instantInNamed,
  instantText,
  stringToTimestamp,
  stringToTimestampIn,
} from '../macros/time.ts';

/** Where an instant is looked at from; undefined is UTC. */
type Zone = Expression | undefined;

/** Names of the zone in which instants and civil times look the same. */
const utc = new Set(['UTC', 'Etc/UTC', '+0', '+00', '+00:00', '-00:00']);

/** The zone, or undefined when it is UTC. */
function otherThanUtc(zone: Zone): Zone {
  return typeof zone?.constant === 'string' && utc.has(zone.constant) ? undefined : zone;
}

function hasName(zone: Expression): boolean {
  return typeof zone.constant === 'string' && /^[A-Za-z]/.test(zone.constant);
}

/** The civil time of an instant in a zone. */
export function civilIn(t: string, where: Zone): string {
  const zone = otherThanUtc(where);
  if (zone === undefined) return t;
  return (hasName(zone) ? civilTimeInNamed : civilTime).call([t, zone.sql]);
}

/** The instant of a civil time in a zone. */
export function instantIn(civil: string, where: Zone): string {
  const zone = otherThanUtc(where);
  if (zone === undefined) return civil;
  return (hasName(zone) ? instantInNamed : instant).call([civil, zone.sql]);
}

/** The text of an instant in a zone. */
export function instantTextIn(t: string, where: Zone): string {
  const zone = otherThanUtc(where);
  return zone === undefined ? civilText.call([t, "'+00'"]) : instantText.call([t, zone.sql]);
}

/** The instant that a text names; `where` is where it is meant when the text doesn't say. */
export function instantOfText(
  text: Pick<Expression, 'sql' | 'constant'>,
  where: Zone,
  safe: boolean,
): string {
  const zone = otherThanUtc(where);
  const civil = zone === undefined ? utcTextParts(text.constant) : undefined;
  if (civil !== undefined) return safe ? `TRY_CAST(${civil} AS TIMESTAMP)` : `CAST(${civil} AS TIMESTAMP)`;
  return zone === undefined
    ? stringToTimestamp.call([text.sql], safe)
    : stringToTimestampIn.call([text.sql, zone.sql], safe);
}

/**
 * The civil part of a known text in UTC, as SQL. Bounds of time arrive in this form, and the macro that reads
 * every form takes milliseconds to be bound. A text that names no instant is the macro's, whose errors say so:
 * DuckDB would take 24 o'clock for the next midnight.
 */
function utcTextParts(text: Value | undefined): string | undefined {
  const match =
    typeof text === 'string'
      ? /^([1-9]\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?)?)Z?$/.exec(text)
      : null;
  return match?.[1] && parseTimestamp(match[0]) !== undefined ? stringLiteral(match[1]) : undefined;
}
