const firstCapacity = 65_536;

/** Bytes that are written one after the other. Those who write many at once reserve room, and set `length`. */
export class ByteWriter {
  length = 0;
  #bytes = Buffer.allocUnsafeSlow(firstCapacity);

  /** What was written is at the beginning. Valid until more is reserved. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Makes room for more bytes after `length`, and returns the memory. */
  reserve(more: number): Uint8Array {
    const needed = this.length + more;
    if (needed > this.#bytes.length) this.#grow(needed);
    return this.#bytes;
  }

  /** Writes a byte. */
  byte(byte: number): void {
    this.reserve(1)[this.length++] = byte;
  }

  /** Writes a few bytes. */
  all(some: Uint8Array): void {
    const bytes = this.reserve(some.length);
    let at = this.length;
    for (let index = 0; index < some.length; index++) bytes[at++] = some[index] ?? 0;
    this.length = at;
  }

  /** Writes many bytes. */
  append(many: Uint8Array): void {
    this.reserve(many.length);
    this.#bytes.set(many, this.length);
    this.length += many.length;
  }

  /** Writes a text of ASCII characters. */
  ascii(text: string): void {
    const bytes = this.reserve(text.length);
    let at = this.length;
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  /** Returns what was written, and begins anew: valid until something is written. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}
