import type { Source } from '../../../definitions/sources/source.ts';
import { type Field, isSameName } from './field.ts';

/** What a name in a FROM clause stands for: a source, an entry of WITH, a subquery or the elements of an array. */
export interface Relation {
  /** Its alias, or its own name. Empty for a subquery without an alias. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** Columns that `SELECT *` does not have. */
  readonly pseudoFields?: readonly Field[];
  readonly source?: Source;
}

/** Finds a relation by its name. */
export function relationNamed(relations: readonly Relation[], name: string): Relation | undefined {
  return relations.find((relation) => isSameName(relation.name, name));
}
