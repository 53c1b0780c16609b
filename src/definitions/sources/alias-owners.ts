/** The sources that have the aliases. Each name and alias belongs to one source; letter case makes no difference. */
export class AliasOwners {
  readonly #owners: Map<string, string>;

  /** @param names the names of all sources */
  constructor(names: readonly string[]) {
    this.#owners = new Map(names.map((name) => [name.toLowerCase(), name]));
  }

  /** Gives an alias to a source. Returns the reason if it is taken. */
  claim(source: string, alias: string): string | undefined {
    const folded = alias.toLowerCase();
    const owner = this.#owners.get(folded);
    if (owner !== undefined) {
      if (owner === source) return `${alias} is already a name of this source`;
      return `${alias} is already a name of the source ${owner}`;
    }
    this.#owners.set(folded, source);
    return undefined;
  }
}
