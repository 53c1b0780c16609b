import { SingleFlight } from '../single-flight.ts';

/** The body of an answer, ready to be sent. */
export interface ReadyBody {
  readonly bytes: Buffer;
  /** A strong entity tag, quotes included: another body has another one. RFC 9110, section 8.8.3. */
  readonly etag: string;
  /** The headers that describe the bytes, the tag's included: names and values in turn. */
  readonly headers: readonly string[];
}

/** Bodies made from one result, by variant, as `gzip` or `redacted`. */
export interface Bodies {
  get(variant: string): ReadyBody | undefined;
  /**
   * The variant's body; the first who asks has it made. A failure is shared by those who wait, and forgotten.
   *
   * @param signal ends the wait, with its reason
   * @param make is given a signal that is aborted when nobody waits any more
   */
  make(
    variant: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<ReadyBody>,
  ): Promise<ReadyBody>;
}

/** Those of all results, by a number of the result's and the variant. */
const beingMade = new SingleFlight<ReadyBody>();
let lastNumber = 0;

/**
 * @param isKept called with each body that was made; once for one that serves two variants. Returns whether to cache it. A
 * body that isn't cached is given to its waiters, and made again for later ones
 */
export function bodies(isKept: (body: ReadyBody) => boolean = () => true): Bodies {
  const made = new Map<string, ReadyBody>();
  lastNumber += 1;
  const number = lastNumber;
  return {
    get: (variant) => made.get(variant),
    async make(variant, signal, make) {
      const ready = made.get(variant);
      if (ready !== undefined) return ready;
      return beingMade.join(`${number} ${variant}`, { signal, isForeground: true }, async (flight) => {
        const body = await make(flight.signal);
        const isKnown = made.values().some((other) => other === body);
        if (isKnown || isKept(body)) made.set(variant, body);
        return body;
      });
    },
  };
}
