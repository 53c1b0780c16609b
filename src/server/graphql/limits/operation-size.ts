import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { CallingFields } from '../shape/shape.ts';

/** The size of an operation. Fragments count wherever they are spread. */
export interface OperationSize {
  /** Levels of fields, `{ a { b } }` has two, or of objects in their arguments: `{ a(b: { c: {} }) }` has three. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fields that run a query on the engine. */
  readonly calls: number;
}

/** The largest permitted operation. */
export type OperationLimits = OperationSize;

const measures: readonly (readonly [keyof OperationSize, string])[] = [
  ['depth', 'levels of fields'],
  ['aliases', 'aliases'],
  ['directives', 'directives'],
  ['calls', 'calls of endpoints'],
];

/** An error for each limit that an operation of the document exceeds, even if another operation is to be run. */
export function exceededLimits(
  document: DocumentNode,
  limits: OperationLimits,
  calling: CallingFields,
): GraphQLError[] {
  const sizeOf = operationSizes(document, calling);
  return document.definitions.flatMap((operation) => {
    if (operation.kind !== Kind.OPERATION_DEFINITION) return [];
    const size = sizeOf(operation);
    return measures
      .filter(([measure]) => size[measure] > limits[measure])
      .map(([measure, name]) => {
        const message = `The operation has more than ${limits[measure]} ${name}, counting each use of a fragment.`;
        return new GraphQLError(message, { nodes: [operation] });
      });
  });
}

/** The kind of a selection set's fields, as far as it matters for counting calls. */
type Level = 'query' | 'tables' | 'other';

type NodeWithDirectives =
  | OperationDefinitionNode
  | VariableDefinitionNode
  | FragmentDefinitionNode
  | SelectionNode;

const nothing: OperationSize = { depth: 0, aliases: 0, directives: 0, calls: 0 };

/**
 * Measures the operations of a document. The total time is proportional to the document's length, even with nested
 * fragments. A fragment that spreads itself counts once, since validation refuses it.
 */
export function operationSizes(
  document: DocumentNode,
  calling: CallingFields,
): (operation: OperationDefinitionNode) => OperationSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, OperationSize>();

  function spread(name: string, level: Level): OperationSize {
    const key = `${level} ${name}`;
    const known = measured.get(key);
    if (known !== undefined) return known;
    measured.set(key, nothing);
    const fragment = fragments.get(name);
    const size =
      fragment === undefined ? nothing : withDirectives(measure(fragment.selectionSet, level), fragment);
    measured.set(key, size);
    return size;
  }

  function measure({ selections }: SelectionSetNode, level: Level): OperationSize {
    let sum = nothing;
    for (const selection of selections) sum = together(sum, withDirectives(one(selection, level), selection));
    return sum;
  }

  function one(selection: SelectionNode, level: Level): OperationSize {
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet, level);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return spread(selection.name.value, level);
    const name = selection.name.value;
    const below = level === 'query' && calling.tables.has(name) ? 'tables' : 'other';
    const inner = selection.selectionSet === undefined ? nothing : measure(selection.selectionSet, below);
    const isCall =
      level === 'tables' ? name !== '__typename' : level === 'query' && calling.endpoints.has(name);
    return {
      depth: Math.max(inner.depth, ...argumentsOf(selection)) + 1,
      aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
      directives: inner.directives,
      calls: inner.calls + (isCall ? 1 : 0),
    };
  }

  return (operation) => {
    const size = withDirectives(measure(operation.selectionSet, 'query'), operation);
    return (operation.variableDefinitions ?? []).reduce(withDirectives, size);
  };
}

/** The levels of objects in each argument of a field, as far as the document has them. */
function argumentsOf({ arguments: args = [] }: FieldNode): number[] {
  return args.map(({ value }) => levelsIn(value));
}

function levelsIn(value: ValueNode): number {
  if (value.kind === Kind.LIST) return Math.max(0, ...value.values.map(levelsIn));
  if (value.kind !== Kind.OBJECT) return 0;
  return 1 + Math.max(0, ...value.fields.map((field) => levelsIn(field.value)));
}

/** Adds the node's own directives to its size. */
function withDirectives(size: OperationSize, node: NodeWithDirectives): OperationSize {
  const count = node.directives?.length ?? 0;
  return count === 0 ? size : { ...size, directives: size.directives + count };
}

function together(a: OperationSize, b: OperationSize): OperationSize {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
    calls: a.calls + b.calls,
  };
}
