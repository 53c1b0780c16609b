import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { comparable, Differential } from './differential.ts';
import { relationalQueries } from './random-relations.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

/** Expressions over the table `nums`, by type. Division and casts that may fail are left to the data files. */
const { int, text, bool, float, time } = fc.letrec<
  Record<'int' | 'text' | 'bool' | 'float' | 'time', string>
>((tie) => {
  const call = (name: string, ...args: fc.Arbitrary<string>[]) =>
    fc.tuple(...args).map((parts) => `${name}(${parts.join(', ')})`);
  const infix = (left: fc.Arbitrary<string>, operators: readonly string[], right: fc.Arbitrary<string>) =>
    fc.tuple(left, fc.constantFrom(...operators), right).map((parts) => `(${parts.join(' ')})`);
  const choice = (type: 'int' | 'text' | 'bool' | 'float' | 'time') =>
    fc.oneof(
      call('if', tie('bool'), tie(type), tie(type)),
      call('coalesce', tie(type), tie(type)),
      call('nullif', tie(type), tie(type)),
      fc
        .tuple(tie('bool'), tie(type), tie('bool'), tie(type))
        .map(([a, b, c, d]) => `case when ${a} then ${b} when ${c} then ${d} end`),
    );
  const leaf = (...leaves: string[]) => fc.constantFrom(...leaves);
  const of = (leaves: fc.Arbitrary<string>, ...inner: fc.Arbitrary<string>[]) =>
    fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaves, ...inner);
  const part = leaf('day', 'hour', 'minute', 'week', 'month', 'isoweek', 'year');
  return {
    int: of(
      leaf('id', 'a', 'b', '0', '-3', '7'),
      infix(tie('int'), ['+', '-', '*', '&', '|'], leaf('a', 'b', '2')),
      call('length', tie('text')),
      call('strpos', tie('text'), tie('text')),
      call(
        'safe_cast',
        tie('text').map((sql) => `${sql} as int64`),
      ),
      call('array_length', leaf('arr')),
      call(
        'extract',
        fc
          .tuple(leaf('hour', 'dayofweek', 'isoweek', 'week', 'year'), tie('time'))
          .map(([p, t]) => `${p} from ${t}`),
      ),
      call('greatest', tie('int'), tie('int')),
      choice('int'),
    ),
    text: of(
      leaf('s', 't', "''", "'a,b'", "'日本'", "'%'"),
      call('upper', tie('text')),
      call('lower', tie('text')),
      call('concat', tie('text'), tie('text')),
      call('substr', tie('text'), tie('int')),
      call('replace', tie('text'), leaf("'a'", "','"), tie('text')),
      call('regexp_replace', tie('text'), leaf("'[a-c]+'", "'x'"), leaf("'<\\\\0>'", "''")),
      call(
        'cast',
        fc.oneof(tie('int'), tie('bool'), tie('float'), tie('time')).map((sql) => `${sql} as string`),
      ),
      call('trim', tie('text')),
      call('reverse', tie('text')),
      choice('text'),
    ),
    bool: of(
      leaf('flag', 'true', 'false', 'cast(null as bool)'),
      infix(tie('int'), ['=', '<', '>=', '!='], tie('int')),
      infix(tie('text'), ['=', '<', '>', '!='], tie('text')),
      infix(tie('float'), ['=', '<', '>=', '!='], tie('float')),
      infix(tie('bool'), ['and', 'or'], tie('bool')),
      tie('bool').map((sql) => `(not ${sql})`),
      fc.oneof(tie('int'), tie('text'), tie('bool')).map((sql) => `(${sql} is null)`),
      call('starts_with', tie('text'), tie('text')),
      call('regexp_contains', tie('text'), leaf("'^a'", "'[0-9]'")),
      infix(tie('int'), ['in'], leaf('(1, 2, null)', 'unnest(arr)')),
    ),
    float: of(
      leaf('x', 'y', '1.5', '-0.25'),
      infix(leaf('x', 'y', '0.5'), ['+', '-', '*'], tie('float')),
      call(
        'safe_cast',
        tie('text').map((sql) => `${sql} as float64`),
      ),
      call('abs', tie('float')),
      call('safe_divide', leaf('y', 'a'), leaf('b', '0', 'x')),
      choice('float'),
    ),
    time: of(
      leaf('ts', "timestamp '2026-03-01 12:34:56.789'"),
      call('timestamp_trunc', tie('time'), part),
      call('timestamp_add', leaf('ts'), leaf('interval a day', 'interval 90 minute')),
      choice('time'),
    ),
  };
});

const queries = fc.oneof(
  fc
    .tuple(fc.array(fc.oneof(int, text, bool, float, time), { minLength: 1, maxLength: 4 }), bool)
    .map(([columns, where]) => `select id, ${columns.join(', ')} from nums where ${where}`),
  fc
    .tuple(fc.oneof(int, text, bool), int, bool)
    .map(
      ([key, value, condition]) =>
        `select ${key} k, count(*), min(${value}), max(${value}), countif(${condition}), count(distinct ${value}) from nums group by k`,
    ),
);

async function sameRows(sql: string): Promise<void> {
  // Which rows of a failing expression are looked at is up to an engine, so failures say nothing.
  const expected = await differential.expected(sql).catch(() => undefined);
  if (expected === undefined) return;
  const rows = comparable(expected, false);
  expect(comparable(await differential.actual(sql), false)).toEqual(rows);
  expect(comparable(await differential.folded(sql), false)).toEqual(rows);
}

test('random expressions have the results of the reference evaluator', async () => {
  await fc.assert(fc.asyncProperty(queries, sameRows), { numRuns: 20 * effort });
});

// The seed keeps a run of CI from failing for a query that nobody has written; try others by hand.
test('random relations over random tables have the results of the reference evaluator', async () => {
  await fc.assert(fc.asyncProperty(relationalQueries, sameRows), { numRuns: 20 * effort, seed: 20261120 });
});
