import { SingleFlight } from './single-flight.ts';

/** A complete response body. */
export interface ReadyBody {
  readonly bytes: Buffer;
  /** A strong entity tag, including quotes, which differs for different bodies. RFC 9110, section 8.8.3. */
  readonly etag: string;
  /** Headers that describe the body, including the tag: names and values, alternating. */
  readonly headers: readonly string[];
}

/** Bodies made from one result, by variant, such as `gzip` or `redacted`. */
export interface Bodies {
  get(variant: string): ReadyBody | undefined;
  /** Forgets the bodies. They are made again when they are needed. */
  clear(): void;
  /**
   * Returns the variant's body, and makes it once for all concurrent waiters. They share a failure, which isn't cached.
   *
   * @param signal aborting it ends the wait, with its reason
   * @param make gets a signal that is aborted when the last waiter leaves
   */
  make(
    variant: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<ReadyBody>,
  ): Promise<ReadyBody>;
}

/** Bodies being made, by a number of their result and the variant. */
const inFlight = new SingleFlight<ReadyBody>();
let lastNumber = 0;

/**
 * @param isKept called once per new body; returns whether to cache it. A body that isn't cached is made again for later
 *   callers
 */
export function bodies(isKept: (body: ReadyBody) => boolean = () => true): Bodies {
  const made = new Map<string, ReadyBody>();
  lastNumber += 1;
  const number = lastNumber;
  return {
    get: (variant) => made.get(variant),
    clear: () => made.clear(),
    async make(variant, signal, make) {
      const ready = made.get(variant);
      if (ready !== undefined) return ready;
      return inFlight.join(`${number} ${variant}`, { signal }, async (flight) => {
        const body = await make(flight.signal);
        const isKnown = made.values().some((other) => other === body);
        if (isKnown || isKept(body)) made.set(variant, body);
        return body;
      });
    },
  };
}
