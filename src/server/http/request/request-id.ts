import { randomFillSync } from 'node:crypto';
import { holdsKeyText } from '../../../calls/access/key/key-text.ts';

const safeId = /^[\w.:/+=@-]{20,200}$/;

/** Returns the caller's own request id if it has 20 to 200 harmless characters and contains no key, otherwise a new one. */
export function requestIdFrom(header: string | string[] | undefined, makeId: () => string): string {
  const isSafe = typeof header === 'string' && safeId.test(header) && !holdsKeyText(header);
  return isSafe ? header : makeId();
}

/** Number of ids in a batch. */
const batchSize = 512;

const idBytes = 16;

const idLength = 36;

/** The bytes of a UUID that follow a hyphen. */
const hyphensBefore: ReadonlySet<number> = new Set([4, 6, 8, 10]);

const hexDigits = Buffer.from('0123456789abcdef');

/**
 * Returns a function that makes request ids: random UUIDs (version 4), because sequential ids would reveal the number
 * of requests to every caller. Batches take half of the time of Node's own ids until they are sent (measured).
 */
export function requestIdMaker(): () => string {
  let text = '';
  let at = 0;
  return () => {
    if (at === text.length) {
      text = randomUuids();
      at = 0;
    }
    const id = text.slice(at, at + idLength);
    at += idLength;
    return id;
  };
}

/** Returns a batch of concatenated random UUIDs. Source of the format: RFC 9562, section 5.4. */
function randomUuids(): string {
  const bytes = randomFillSync(Buffer.allocUnsafe(batchSize * idBytes));
  const text = Buffer.alloc(batchSize * idLength, '-');
  let at = 0;
  for (let index = 0; index < bytes.length; index++) {
    const place = index % idBytes;
    if (hyphensBefore.has(place)) at++;
    const byte = formed(bytes[index] ?? 0, place);
    text[at++] = hexDigits[byte >> 4] ?? 0;
    text[at++] = hexDigits[byte & 0xf] ?? 0;
  }
  return text.toString('latin1');
}

/** Sets the version and variant bits, which are in two of the bytes. */
function formed(byte: number, place: number): number {
  if (place === 6) return (byte & 0x0f) | 0x40;
  return place === 8 ? (byte & 0x3f) | 0x80 : byte;
}

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns a `traceparent` header if it is valid: https://www.w3.org/TR/trace-context/#traceparent-header */
export function traceparentFrom(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && pattern.test(header) ? header : undefined;
}
