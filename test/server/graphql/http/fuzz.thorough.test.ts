import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphqlResponse, runGraphql } from './support/graphql-gateway.ts';

const token = fc.constantFrom(
  ...'{ } { } ( ) [ ] ! : = @ | & $ ... fragment query mutation subscription on schema extend'.split(' '),
  ...'logsAll logsAllTables edgeLogs apiCounts endpoints endpoint id name total __typename __schema'.split(
    ' ',
  ),
  ...'project count interval filter limit $v F Query @skip(if:true) @include @defer @stream'.split(' '),
  ...[
    '"a"',
    '"""b"""',
    '1',
    '-1.5e3',
    '99999999999',
    'null',
    'DAILY',
    '#c\n',
    '\u0000',
    '\ud800',
    'ä',
    '"',
    '\\',
  ],
);
const text = fc.oneof(
  fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(' ')),
  fc.string({ unit: 'binary' }),
);

/** Operations that would run, were it not for the value of their variable. */
const typed = fc
  .constantFrom<[type: string, field: string, value: fc.Arbitrary<unknown>]>(
    ['String!', 'logsAll(project: $v) { id metadata { path } }', fc.string({ unit: 'binary' })],
    ['Int64', 'logsAll(project: "a", count: $v) { timestamp }', fc.oneof(fc.integer(), fc.double())],
    ['Int!', 'logsAllTables(project: "a") { edgeLogs(limit: $v) { id } }', fc.integer()],
    ['JSON', 'apiCounts(interval: DAILY, filter: $v) { total }', fc.jsonValue()],
    ['ApiCountsInterval!', 'apiCounts(interval: $v) { total }', fc.constantFrom('DAILY', 'daily')],
    ['String!', 'endpoint(name: $v) { name curl columns { type } }', fc.constant('logs.all')],
  )
  .chain(([type, field, value]) =>
    fc.record({
      query: fc.constant(`query A($v: ${type}) { ${field} }`),
      variables: fc.record({ v: fc.oneof({ weight: 3, arbitrary: value }, fc.jsonValue()) }),
    }),
  );
const operation = fc.oneof(
  typed,
  fc.record(
    {
      query: fc.oneof({ weight: 9, arbitrary: text }, fc.jsonValue()),
      variables: fc.oneof(fc.record({ v: fc.jsonValue() }), fc.jsonValue()),
      operationName: fc.oneof(fc.constant('A'), fc.jsonValue()),
      extensions: fc.jsonValue(),
    },
    { requiredKeys: ['query'] },
  ),
  fc.jsonValue(),
);

test('whatever operations come, each is answered or refused, and nothing of it is a defect', async () => {
  const gateway = await runGraphql();
  await fc.assert(
    fc.asyncProperty(fc.oneof(operation, fc.array(operation, { maxLength: 3 })), async (body) => {
      // Twice, as operations that come again take another way.
      for (let round = 0; round < 2; round++) {
        const reply = await gateway.post(body, { Accept: graphqlResponse });
        expect([200, 400]).toContain(reply.status);
        for (const answer of [reply.json].flat()) {
          for (const { extensions } of answer.errors ?? []) {
            expect(extensions.code).toMatch(
              /^(BAD_USER_INPUT|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)$/,
            );
          }
        }
        expect(gateway.log).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
  expect(gateway.calls.length).toBeGreaterThan(10);
});
