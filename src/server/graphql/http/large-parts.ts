import { randomUUID } from 'node:crypto';

/** Parts of a response that are bytes already. Until the rest is a text, it has texts in their places. */
export class LargeParts {
  readonly #parts: { readonly place: string; readonly bytes: readonly Buffer[] }[] = [];

  /** Returns the text in place of the part, which nothing else in a response can be. */
  add(bytes: readonly Buffer[]): string {
    const place = randomUUID();
    this.#parts.push({ place, bytes });
    return place;
  }

  /** The response. */
  within(text: string): Buffer | string {
    if (this.#parts.length === 0) return text;
    const pieces: Buffer[] = [];
    let rest = text;
    // In the order in which they are in the text.
    const placed = this.#parts
      .map(({ place, bytes }) => ({ at: text.indexOf(`"${place}"`), place, bytes }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at);
    for (const { place, bytes } of placed) {
      const at = rest.indexOf(`"${place}"`);
      pieces.push(Buffer.from(rest.slice(0, at)), ...bytes);
      rest = rest.slice(at + place.length + 2);
    }
    pieces.push(Buffer.from(rest));
    return Buffer.concat(pieces);
  }
}
