import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { CacheBudget } from '../../../../src/base/memory/cache-budget.ts';
import { documentChecker } from '../../../../src/server/graphql/http/check-document.ts';
import { callingFields } from '../../../../src/server/graphql/shape/shape.ts';

const generous = { depth: 1000, aliases: 1000, directives: 1000, calls: 1000 };

/** Checkers whose documents have one budget. */
function setUp() {
  const budget = new CacheBudget({ name: 'documents', maxBytes: 1_000_000 });
  const known = budget.table<ReturnType<ReturnType<typeof documentChecker>['check']>>();
  const checkerOf = (type: string) =>
    documentChecker(
      {
        schema: buildSchema(type),
        calling: callingFields({ endpoints: [] }),
        limits: generous,
        maxTokens: 100_000,
        introspection: true,
      },
      known,
    );
  return { budget, checkerOf };
}

const account = (key: string) => ({ key, subject: '' });

test('a key that sends many documents evicts its own, not those of others', () => {
  const { budget, checkerOf } = setUp();
  const checker = checkerOf('type Query { a: Int }');
  const [light, flood] = ['{ light: a }', Array.from({ length: 200 }, (_, n) => `{ alias${n}: a }`)];
  const first = checker.check(light, account('light'));
  for (const text of flood) checker.check(text, account('flooding'));
  expect(checker.check(light, account('light'))).toBe(first);
  expect(checker.isKnown(flood[0] ?? '')).toBe(false);
  expect(checker.isKnown(flood.at(-1) ?? '')).toBe(true);
  expect(budget.state.usedBytes).toBeLessThanOrEqual(1_000_000);
});

test('errors count, which take more memory than a short document', () => {
  const { budget, checkerOf } = setUp();
  const checker = checkerOf('type Query { a: Int }');
  checker.check('{ a a a a a }', account('one'));
  const valid = budget.state.usedBytes;
  const { errors } = checker.check('{ b c d e f }', account('one'));
  expect(errors).toHaveLength(5);
  expect(budget.state.usedBytes - valid).toBeGreaterThan(valid);
});

test('a document is checked again for another schema', () => {
  const { checkerOf } = setUp();
  const [before, after] = [checkerOf('type Query { a: Int }'), checkerOf('type Query { b: Int }')];
  expect(before.check('{ a }', account('one')).errors).toEqual([]);
  expect(after.isKnown('{ a }')).toBe(false);
  expect(after.check('{ a }', account('one')).errors).toHaveLength(1);
});
