/** Chunks of rows that have arrived, for one reader. Their sender's credit bounds them. */
export class ChunkQueue implements AsyncIterable<Buffer> {
  readonly #chunks: Buffer[] = [];
  #hasEnded = false;
  #more = Promise.withResolvers<void>();

  push({ buffer, byteOffset, length }: Uint8Array): void {
    this.#chunks.push(Buffer.from(buffer, byteOffset, length));
    this.#more.resolve();
  }

  end(): void {
    this.#hasEnded = true;
    this.#more.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#hasEnded) return;
      else {
        this.#more = Promise.withResolvers();
        await this.#more.promise;
      }
    }
  }
}
