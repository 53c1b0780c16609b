import { type WithEntry, withClause } from '../sql/parse-tree.ts';
import type { AnyNode } from '../sql/resolved/node.ts';

/** The WITH clause of a stored query, as a prefix for other queries. */
export class StoredWith {
  readonly #recursive: boolean;
  readonly #entries: readonly WithEntry[];
  readonly #texts: readonly string[];

  /** @param source the text of the stored query that was parsed, and its parse tree */
  constructor(source: { readonly text: string; readonly parsed: AnyNode }) {
    const { recursive, entries } = withClause(source.parsed);
    const bytes = Buffer.from(source.text);
    this.#recursive = recursive;
    this.#entries = entries;
    this.#texts = entries.map(({ start, end }) => bytes.subarray(start, end).toString());
  }

  /** The names of its entries, in text order. */
  get names(): readonly string[] {
    return this.#entries.map(({ name }) => name);
  }

  /**
   * The clause reduced to the named entries and all entries that they may read, in text order. Empty without names. It
   * can contain more than is read, as a column can have the name of an entry, but never less. Analyzing the rest would
   * only take time.
   *
   * @param names in the clause's spelling
   */
  clauseFor(names: Iterable<string>): string {
    const needed = new Set<WithEntry>();
    const pending = new Set(names);
    for (const name of pending) {
      for (const entry of this.#entries) {
        if (entry.name.toLowerCase() !== name.toLowerCase() || needed.has(entry)) continue;
        needed.add(entry);
        for (const identifier of entry.identifiers) pending.add(identifier);
      }
    }
    const texts = this.#texts.filter((_, index) => needed.has(this.#entries[index] as WithEntry));
    if (texts.length === 0) return '';
    return `WITH ${this.#recursive ? 'RECURSIVE ' : ''}${texts.join(',\n')}`;
  }
}
