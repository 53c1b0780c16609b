import type { Source } from '../../../definitions/sources/source.ts';
import { tableOfSource } from '../../../definitions/sources/source.ts';
import { elementType } from '../../../sql/values/type.ts';
import { type Field, fieldNamed, isSameName } from './field.ts';
import { element } from './read-parts.ts';
import { type Relation, relationNamed } from './relation.ts';

/** The source that a path names: `logs.events`, or in quotes `` `logs.events_*` ``. */
export function sourceOfPath(names: readonly string[], sources: readonly Source[]): Source | undefined {
  const path = names.join('.');
  return sources.find((source) => isSameName(`logs.${tableOfSource(source)}`, path));
}

/** The column or field that a path leads to. A relation is a record of its columns. */
export function resolvePath(
  [first, ...rest]: readonly string[],
  { relations }: { readonly relations: readonly Relation[] },
): Field | undefined {
  if (first === undefined) return undefined;
  const relation = relationNamed(relations, first);
  let field: Field | undefined =
    relation === undefined
      ? fieldNamed(
          relations.flatMap(({ fields, pseudoFields = [] }) => [...fields, ...pseudoFields]),
          first,
        )
      : {
          name: relation.name,
          type: undefined,
          fields: [...relation.fields, ...(relation.pseudoFields ?? [])],
        };
  for (const name of rest) {
    if (field === undefined) return undefined;
    const isArray = field.type?.kind === 'ARRAY';
    // The fields of an array's elements can be read after UNNEST or a subscript only.
    if (isArray !== (name === element)) return undefined;
    field = name === element ? elementOf(field) : fieldNamed(field.fields, name);
  }
  return field;
}

function elementOf(field: Field): Field {
  return { ...field, type: field.type && elementType(field.type) };
}
