import { type WithEntry, withClause } from '../../../sql/plan/parse-tree.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { functionsText } from '../../../sql/text/function-definitions.ts';
import type { PlacedText } from '../../../sql/text/place.ts';

/** The WITH clause of a stored query, after the functions that it may call, as a prefix for other queries. */
export class StoredWith {
  readonly #recursive: boolean;
  readonly #entries: readonly WithEntry[];
  readonly #texts: readonly string[];
  readonly #functions: string;

  /**
   * @param text the text of the stored query
   * @param parsed the parse tree of its query
   */
  constructor({ sql, functionsEnd = 0 }: Pick<PlacedText, 'sql' | 'functionsEnd'>, parsed: AnyNode) {
    const { recursive, entries } = withClause(parsed);
    const bytes = Buffer.from(sql);
    this.#functions = functionsText({ sql, functionsEnd });
    this.#recursive = recursive;
    this.#entries = entries;
    this.#texts = entries.map(({ start, end }) => bytes.subarray(start, end).toString());
  }

  /** The names of its entries, in text order. */
  get names(): readonly string[] {
    return this.#entries.map(({ name }) => name);
  }

  /**
   * The functions, and the clause reduced to the named entries and all entries that they may read, in text order. Empty without names. It
   * can contain more than is read, as a column can have the name of an entry, but never less. Analyzing the rest would
   * only take time. The functions keep their places.
   *
   * @param names in the clause's spelling
   */
  clauseFor(names: Iterable<string>): Pick<PlacedText, 'sql' | 'functionsEnd'> {
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
    const clause = `WITH ${this.#recursive ? 'RECURSIVE ' : ''}${texts.join(',\n')}`;
    const sql = texts.length === 0 ? '' : clause;
    if (this.#functions === '') return { sql };
    return { sql: `${this.#functions}\n${sql}`, functionsEnd: Buffer.byteLength(this.#functions) };
  }
}
