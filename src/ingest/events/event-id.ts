import { hash } from 'node:crypto';

/** Times of arrival count as equal, for ids, within periods of this many microseconds. */
const periodMicros = 600_000_000n;

/** A digest of an event's source and its content (see `canonicalContent`), in hexadecimal. */
export function contentDigest(source: string, content: string): string {
  return hash('sha256', `${source}\n${content}`, 'hex');
}

/**
 * The id of an event that has a time of its own: the same whenever it arrives.
 *
 * @param digest its `contentDigest`
 * @param occurrence how many events with this digest are before it in its body
 */
export function eventId(digest: string, occurrence: number): string {
  return uuidOf(occurrence === 0 ? digest : hash('sha256', `${digest}\n${occurrence}`, 'hex'));
}

/**
 * The id of an event without a time, and the id that it would have got ten minutes earlier.
 *
 * @param receivedAt in microseconds since 1970
 */
export function eventIdsByArrival(
  digest: string,
  occurrence: number,
  receivedAt: bigint,
): { readonly id: string; readonly formerId: string } {
  const period = receivedAt / periodMicros;
  const idIn = (arrival: bigint) => uuidOf(hash('sha256', `${digest}\n${occurrence}\n${arrival}`, 'hex'));
  return { id: idIn(period), formerId: idIn(period - 1n) };
}

/** A UUID of version 8, which is for ids with a meaning of their own (RFC 9562). */
function uuidOf(digest: string): string {
  const variant = '89ab'[Number.parseInt(digest.charAt(16), 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
