/** The body of an answer, ready to be sent. */
export interface ReadyBody {
  readonly bytes: Buffer;
  /** A strong entity tag, quotes included: another body has another one. RFC 9110, section 8.8.3. */
  readonly etag: string;
  /** The header lines that describe the bytes, the tag's included but for `Content-Length`; each ends in a line break. */
  readonly headerLines: string;
}

/** Bodies made from one result, by variant, as `gzip` or `redacted`. */
export interface Bodies {
  get(variant: string): ReadyBody | undefined;
  /** The variant's body; the first who asks has it made. A failure is shared by those who wait, and forgotten. */
  make(variant: string, make: () => Promise<ReadyBody>): Promise<ReadyBody>;
}

/**
 * @param onMade told of each body that was made, once it can be got; of one that serves as two variants, once
 */
export function bodies(onMade: (body: ReadyBody) => void = () => {}): Bodies {
  const made = new Map<string, ReadyBody>();
  const beingMade = new Map<string, Promise<ReadyBody>>();
  return {
    get: (variant) => made.get(variant),
    make(variant, make) {
      const ready = made.get(variant);
      if (ready !== undefined) return Promise.resolve(ready);
      let making = beingMade.get(variant);
      if (making === undefined) {
        making = make()
          .then((body) => {
            const isNew = !made.values().some((other) => other === body);
            made.set(variant, body);
            if (isNew) onMade(body);
            return body;
          })
          .finally(() => beingMade.delete(variant));
        beingMade.set(variant, making);
      }
      return making;
    },
  };
}
