/** A piece takes some 200 bytes of memory besides its content. So many are joined, so that small ones take no more than that. */
const joinedPieces = 256;

/** The bytes of a body that arrives in pieces, however small they are. */
export class GatheredBytes {
  readonly #joined: Uint8Array[] = [];
  #pieces: Uint8Array[] = [];
  /** The number of bytes. */
  size = 0;

  /** How many parts of memory are kept. */
  get parts(): number {
    return this.#joined.length + this.#pieces.length;
  }

  add(piece: Uint8Array): void {
    this.size += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length < joinedPieces) return;
    this.#joined.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  whole(): Buffer {
    return Buffer.concat([...this.#joined, ...this.#pieces], this.size);
  }
}
