/** The beginning of some bytes, and all of them. */
interface Peeked {
  readonly head: Buffer;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Reads bytes until their beginning is complete, or they end. The caller must read `bytes`. It looks again when there are twice as many
 * bytes, since they may come one by one.
 */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  isComplete: (head: Buffer) => boolean,
): Promise<Peeked> {
  const pieces = bytes[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  let length = 0;
  while (!isComplete(head)) {
    let next: IteratorResult<Uint8Array>;
    do {
      next = await pieces.next();
      if (next.done) break;
      read.push(next.value);
      length += next.value.length;
    } while (length < 2 * head.length);
    head = Buffer.concat(read);
    if (next.done) break;
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
