import { type DocumentNode, GraphQLError, Kind } from 'graphql';
import type { CallingFields } from '../shape/shape.ts';
import { type OperationSize, operationSizes } from './operation-size.ts';

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
