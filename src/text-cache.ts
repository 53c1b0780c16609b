/** What an entry costs beside its size, in characters. */
const overhead = 200;

/**
 * Keeps what was made of texts, up to a total size in characters: what is made of a text takes memory by its size,
 * so a number of entries would bound nothing. What was used longest ago makes room.
 */
export class TextCache<T> {
  readonly #maxCharacters: number;
  readonly #entries = new Map<string, { readonly value: T; readonly size: number }>();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(text: string): T | undefined {
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    return entry.value;
  }

  /**
   * Keeps the value of a text that has none yet. One too large to be kept is not.
   *
   * @param characters the size of what was made of the text, where that doesn't follow from the text
   */
  add(text: string, value: T, characters = 0): void {
    const size = text.length + characters + overhead;
    if (this.#entries.has(text) || size > this.#maxCharacters) return;
    this.#entries.set(text, { value, size });
    this.#characters += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#entries.delete(oldest);
      this.#characters -= entry.size;
    }
  }
}
