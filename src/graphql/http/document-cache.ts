/** What a text costs beside its length, in characters. */
const overhead = 200;

/**
 * Keeps what was made of texts, up to a total length of the texts: what a document takes in memory grows with its
 * text, so a number of entries would bound nothing. What was used longest ago makes room.
 */
export class DocumentCache<T> {
  readonly #maxCharacters: number;
  readonly #values = new Map<string, T>();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(text: string): T | undefined {
    const value = this.#values.get(text);
    if (value !== undefined) {
      this.#values.delete(text);
      this.#values.set(text, value);
    }
    return value;
  }

  /** Keeps the value of a text that has none yet. A text too long to be kept is not. */
  add(text: string, value: T): void {
    if (this.#values.has(text) || text.length + overhead > this.#maxCharacters) return;
    this.#values.set(text, value);
    this.#characters += text.length + overhead;
    for (const oldest of this.#values.keys()) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#values.delete(oldest);
      this.#characters -= oldest.length + overhead;
    }
  }
}
