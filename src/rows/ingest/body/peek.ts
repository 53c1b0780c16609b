/** The beginning of some bytes, and all of them. */
interface Peeked {
  readonly head: Buffer;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Reads bytes until their beginning is complete, or they end. The caller must read `bytes`. */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  isComplete: (head: Buffer) => boolean,
): Promise<Peeked> {
  const pieces = bytes[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while (!isComplete(head)) {
    const next = await pieces.next();
    if (next.done) break;
    read.push(next.value);
    head = Buffer.concat([head, next.value]);
  }
  return { head, bytes: followedBy(read, pieces) };
}

async function* followedBy(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
