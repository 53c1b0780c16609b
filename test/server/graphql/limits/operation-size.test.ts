import fc from 'fast-check';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { expect, test } from 'vitest';
import { type OperationSize, operationSizes } from '../../../../src/server/graphql/limits/operation-size.ts';
import { computedMs } from '../../../support/computed-ms.ts';

const calling = { endpoints: new Set(['a']), tables: new Set(['t']) };

function sizeOf(text: string): OperationSize {
  const document = parse(text);
  return operationSizes(document, calling)(firstOperation(document));
}

function firstOperation({ definitions }: DocumentNode): OperationDefinitionNode {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

test.each([
  ['{ x }', { depth: 1, aliases: 0, directives: 0, calls: 0 }],
  ['{ a { x { y } } b: x }', { depth: 3, aliases: 1, directives: 0, calls: 1 }],
  ['{ ... { ... { a: a { x } } } }', { depth: 2, aliases: 1, directives: 0, calls: 1 }],
  ['{ t { a b __typename } }', { depth: 2, aliases: 0, directives: 0, calls: 2 }],
  ['{ t { ...F } x { ...F } ...F } fragment F on T { a }', { depth: 2, aliases: 0, directives: 0, calls: 2 }],
  [
    'query ($v: Int @d) @d @d { x @d ... @d { y } ...F @d } fragment F on Q @d { z @d }',
    { depth: 1, aliases: 0, directives: 8, calls: 0 },
  ],
  ['{ ...Missing }', { depth: 0, aliases: 0, directives: 0, calls: 0 }],
  ['{ ...F } fragment F on Q { y ...F }', { depth: 1, aliases: 0, directives: 0, calls: 0 }],
])('%s has %o', (text, size) => {
  expect(sizeOf(text)).toEqual(size);
});

test('a fragment spread in fragments exponentially often is measured at once, and counts that often', () => {
  const levels = 900;
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Q { ...F${i + 1} ...F${i + 1} }`,
  );
  const text = `{ ...F0 } ${fragments.join(' ')} fragment F${levels} on Q { b: a }`;
  const start = computedMs();
  const size = sizeOf(text);
  expect(computedMs() - start).toBeLessThan(500);
  expect(size).toEqual({ depth: 1, aliases: 2 ** levels, directives: 0, calls: 2 ** levels });
});

test('many operations that share a large fragment take time proportional to the document', () => {
  const operations = Array.from({ length: 5_000 }, (_, i) => `query Q${i} { ...F }`);
  const document = parse(`${operations.join(' ')} fragment F on Q { ${'a '.repeat(50_000)} }`);
  const sizes = operationSizes(document, calling);
  const start = computedMs();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) expect(sizes(definition).calls).toBe(50_000);
  }
  expect(computedMs() - start).toBeLessThan(1_000);
});

test('a size equals the result of counting every spread separately', () => {
  fc.assert(
    fc.property(fragmentsText, (text) => {
      const document = parse(text);
      const operation = firstOperation(document);
      expect(operationSizes(document, calling)(operation)).toEqual(naiveSize(document, operation));
    }),
  );
});

/** Documents whose fragments spread only later ones. */
const fragmentsText = fc
  .array(
    fc.array(fc.tuple(fc.constantFrom('x', 'b: x @d', 'a', 'x { ', 't { ', '... { ', 'spread'), fc.nat(3))),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((bodies) =>
    bodies
      .map((parts, index) => {
        let open = 0;
        const selections = parts.map(([part, jump]) => {
          if (part === 'spread') {
            const target = index + 1 + jump;
            return target < bodies.length ? `...F${target} @d` : 'y';
          }
          if (part.endsWith('{ ')) open++;
          return part.endsWith('{ ') ? `${part} z` : part;
        });
        const head = index === 0 ? 'query' : `fragment F${index} on Q @d`;
        return `${head} { y ${selections.join(' ')} ${'}'.repeat(open)} }`;
      })
      .join('\n'),
  );

function naiveSize(document: DocumentNode, operation: OperationDefinitionNode): OperationSize {
  const size = { depth: 0, aliases: 0, directives: 0, calls: 0 };
  const visit = ({ selections }: SelectionSetNode, parents: readonly string[]) => {
    size.depth = Math.max(size.depth, parents.length);
    for (const selection of selections) {
      size.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, parents);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = document.definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
        );
        if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) continue;
        size.directives += fragment.directives?.length ?? 0;
        visit(fragment.selectionSet, parents);
      }
      if (selection.kind !== Kind.FIELD) continue;
      const name = selection.name.value;
      if (selection.alias !== undefined) size.aliases++;
      if (parents.length === 0 && calling.endpoints.has(name)) size.calls++;
      if (parents.length === 1 && calling.tables.has(parents[0] ?? '')) size.calls++;
      size.depth = Math.max(size.depth, parents.length + 1);
      if (selection.selectionSet) visit(selection.selectionSet, [...parents, name]);
    }
  };
  visit(operation.selectionSet, []);
  return size;
}
