import { fieldName } from '../../base/text/graphql-names.ts';

/** The names that fields of one record have in GraphQL. */
export class NamesInGraphql {
  readonly #taken = new Map<string, string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.take(name);
  }

  /** Why the record can't have a field of this name besides the taken ones. Undefined if it can. */
  fault(name: string): string | undefined {
    const inGraphql = fieldName(name);
    if (inGraphql === undefined)
      return "GraphQL can't have this name: rename the field in the settings of the source";
    const other = this.#taken.get(inGraphql);
    if (other === undefined || other.toLowerCase() === name.toLowerCase()) return undefined;
    return `it and ${other} would both be ${inGraphql} in GraphQL: rename one in the settings of the source`;
  }

  /** Takes a name. One that is taken already, or that GraphQL can't have, changes nothing. */
  take(name: string): void {
    const inGraphql = fieldName(name);
    if (inGraphql !== undefined && !this.#taken.has(inGraphql)) this.#taken.set(inGraphql, name);
  }
}
