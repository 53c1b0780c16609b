/** A body whose bytes come in frames. Whoever sends it waits for credit: what was taken from it may come again. */
export class Body implements AsyncIterable<Uint8Array> {
  readonly #credit: (bytes: number) => void;
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;
  #more = Promise.withResolvers<void>();

  /** @param credit is told how many bytes were taken */
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
