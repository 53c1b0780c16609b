import {
  BREAK,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** How many selections an operation that is compiled may have, its fragments counted wherever they are spread. */
const maxSelections = 2000;

/**
 * Whether the operations of a valid document may be compiled. Compiled operations answer otherwise than graphql-js
 * does where a directive stands at a fragment that is spread twice, or at records that are merged, and where a variable
 * has a default value. And compiling takes as long as the document is with its fragments spread out, which is without
 * bounds for fragments that are spread twice in fragments that are spread twice.
 */
export function isCompilable(document: DocumentNode): boolean {
  let isPlain = true;
  const refuse = () => {
    isPlain = false;
    return BREAK;
  };
  visit(document, {
    Directive: refuse,
    VariableDefinition: ({ defaultValue }) => (defaultValue === undefined ? undefined : refuse()),
  });
  return isPlain && selectionCount(document) <= maxSelections;
}

function selectionCount({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const counted = new Map<string, number>();

  function spread(name: string): number {
    const known = counted.get(name);
    if (known !== undefined) return known;
    const count = inside(fragments.get(name)?.selectionSet);
    counted.set(name, count);
    return count;
  }

  function inside(set: SelectionSetNode | undefined): number {
    return (set?.selections ?? []).reduce(
      (count, selection) =>
        count +
        1 +
        (selection.kind === Kind.FRAGMENT_SPREAD
          ? spread(selection.name.value)
          : inside(selection.selectionSet)),
      0,
    );
  }

  return definitions.reduce(
    (count, definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? count + inside(definition.selectionSet) : count,
    0,
  );
}
