/** A request body that arrives in frames. Its sender needs credit, which grows by the bytes consumed. */
export class Body implements AsyncIterable<Uint8Array> {
  readonly #credit: (bytes: number) => void;
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;
  #more = Promise.withResolvers<void>();

  /** @param credit called with the number of bytes consumed */
  constructor(credit: (bytes: number) => void) {
    this.#credit = credit;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#more.resolve();
  }

  end(): void {
    this.#hasEnded = true;
    this.#more.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield piece;
        this.#credit(piece.length);
      } else if (this.#hasEnded) return;
      else {
        this.#more = Promise.withResolvers();
        await this.#more.promise;
      }
    }
  }
}
