const leastBytes = 65_536;
const maxFree = 8;
/** Larger memory isn't kept. */
const maxKeptBytes = 2 << 20;

/**
 * Memory for large payloads, used again and again: V8 would soon collect all garbage because of new memory for each,
 * which takes longer than the rest of an export (measured).
 */
export class MemoryPool {
  readonly #free: ArrayBuffer[] = [];
  readonly #taken = new WeakSet<ArrayBufferLike>();

  /** Memory of this size, which may contain anything. It begins at a multiple of eight bytes. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const index = this.#free.findIndex((buffer) => buffer.byteLength >= bytes);
    const [buffer = new ArrayBuffer(capacityFor(bytes))] = index < 0 ? [] : this.#free.splice(index, 1);
    this.#taken.add(buffer);
    return new Uint8Array(buffer, 0, bytes);
  }

  /** Takes memory back that is no longer used. Memory that is not from here is ignored. */
  release({ buffer }: Uint8Array): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#taken.delete(buffer)) return;
    if (this.#free.length < maxFree && buffer.byteLength <= maxKeptBytes) this.#free.push(buffer);
  }
}

/** A power of two, so that memory fits payloads of about the same size. */
function capacityFor(bytes: number): number {
  let capacity = leastBytes;
  while (capacity < bytes) capacity *= 2;
  return capacity;
}
