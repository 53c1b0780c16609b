import { createHash, hash } from 'node:crypto';
import { uuidOf } from '../encode/made-uuid.ts';
import type { EventRequest } from './event-request.ts';

/** Times of arrival count as equal, for ids, within periods of this many microseconds. */
const periodMicros = 600_000_000n;

/** The parts of a request that tell it from another one with the same bytes. */
type RequestIdentity = Pick<EventRequest, 'sender' | 'format' | 'shape'>;

/**
 * Makes ids for the events of a body: from all of its bytes, its sender, and the event's place. So the same body that is sent
 * again has the same ids, on every replica, and other bodies have other ids, even if they contain equal events.
 */
export class EventIds {
  readonly #body: Uint8Array;
  readonly #request: RequestIdentity;
  #digest: string | undefined;

  /** @param body the bytes after decompression */
  constructor(body: Uint8Array, request: RequestIdentity) {
    this.#body = body;
    this.#request = request;
  }

  /**
   * The id of an event that has a time of its own: the same whenever the body arrives.
   *
   * @param source the name of the event's source
   * @param place the event's number in its body
   */
  id(source: string, place: number): string {
    return this.#idOf(`${place}\n${source}`);
  }

  /**
   * The id of an event without a time, and the id that it would have got ten minutes earlier.
   *
   * @param receivedAt in microseconds since 1970
   */
  idsByArrival(
    source: string,
    place: number,
    receivedAt: bigint,
  ): { readonly id: string; readonly formerId: string } {
    const period = receivedAt / periodMicros;
    const idIn = (arrival: bigint) => this.#idOf(`${place} ${arrival}\n${source}`);
    return { id: idIn(period), formerId: idIn(period - 1n) };
  }

  #idOf(place: string): string {
    this.#digest ??= digestOf(this.#body, this.#request);
    return uuidOf(hash('sha256', `${this.#digest}\n${place}`, 'hex'));
  }
}

function digestOf(body: Uint8Array, { sender = [], format, shape = 'row' }: RequestIdentity): string {
  const identity = JSON.stringify([...sender, format, shape]);
  return createHash('sha256').update(`${identity}\n`).update(body).digest('hex');
}
