import type { Expression } from '../emit/expression.ts';
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
export function instantOfText(text: string, where: Zone, safe: boolean): string {
  const zone = otherThanUtc(where);
  return zone === undefined
    ? stringToTimestamp.call([text], safe)
    : stringToTimestampIn.call([text, zone.sql], safe);
}
