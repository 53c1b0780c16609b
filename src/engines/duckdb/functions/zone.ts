import type { Expression } from '../emit/expression.ts';
import { stringLiteral } from '../literal.ts';
import { civilText, civilTime, instant, instantText } from '../macros/time.ts';

/** Names of the zone in which instants and civil times look the same. */
const utc = new Set(['UTC', 'Etc/UTC', 'Z', '+0', '+00', '+00:00', '-00:00']);

function isUtc(zone: Expression | undefined): boolean {
  return zone === undefined || (typeof zone.constant === 'string' && utc.has(zone.constant));
}

/** The civil time of an instant in a zone; UTC when there is none. */
export function civilIn(t: string, zone: Expression | undefined): string {
  if (zone === undefined || isUtc(zone)) return t;
  if (typeof zone.constant === 'string' && /^[A-Za-z]/.test(zone.constant)) {
    return `timezone(${stringLiteral(zone.constant)}, timezone('UTC', ${t}))`;
  }
  return civilTime.call([t, zone.sql]);
}

/** The instant of a civil time in a zone; UTC when there is none. */
export function instantIn(civil: string, zone: Expression | undefined): string {
  return zone === undefined || isUtc(zone) ? civil : instant.call([civil, zone.sql]);
}

/** The text of an instant in a zone. */
export function instantTextIn(t: string, zone: Expression | undefined): string {
  return zone === undefined || isUtc(zone) ? civilText.call([t, "'+00'"]) : instantText.call([t, zone.sql]);
}
