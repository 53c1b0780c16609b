import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { demoSources } from '../../../src/tools/demo/rows/call.ts';
import { attacks, forbiddenTables, inPosition, positions } from './support/attacks.ts';
import { marker, openWorld, type World } from './support/world.ts';

/**
 * Every row that the caller's project has no right to holds the marker. Whatever is asked, it is never in an answer,
 * nor in an error.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Names that mean something to somebody: CTEs of the stored query, of the caller, physical tables. */
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...demoSources) },
  { weight: 2, arbitrary: fc.constantFrom('mine', 'logs', '`logs`', 'Edge_Logs', 'metadata', 'm.request') },
  { weight: 1, arbitrary: fc.constantFrom('billing_records', ...forbiddenTables) },
);

/** Queries of ever more clauses, each of whose tables is any name. */
const { query } = fc.letrec<{ query: string; table: string }>((tie) => ({
  table: fc.oneof(
    { weight: 5, arbitrary: name },
    { weight: 1, arbitrary: tie('query').map((text) => `(${text})`) },
    { weight: 1, arbitrary: fc.tuple(name, name).map(([a, b]) => `(${a} a join ${b} b using (id))`) },
  ),
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('table').map((table) => `select id from ${table}`),
    tie('table').map((table) => `select * from ${table} as t`),
    fc
      .tuple(tie('table'), tie('table'))
      .map(([a, b]) => `select a.* from ${a} a left join ${b} b on a.id != b.id`),
    fc.tuple(tie('table'), tie('table')).map(([a, b]) => `select a.id from ${a} a, ${b} b`),
    fc
      .tuple(tie('query'), tie('query'))
      .map(([a, b]) => `select id from (${a}) union all select id from (${b})`),
    fc
      .tuple(tie('table'), tie('query'))
      .map(([a, b]) => `select id from ${a} where id not in (select id from (${b}))`),
    fc
      .tuple(name, tie('query'), tie('query'))
      .map(([a, b, c]) => `with ${a.replace(/^.*\./, '')} as (${b}) select * from (${c})`),
    fc
      .tuple(name, tie('query'), name)
      .map(
        ([a, b, c]) =>
          `with logs as (${b}), ${a.replace(/^.*\./, '')} as (select * from ${c}) select * from ${a}`,
      ),
    tie('table').map((table) => `select to_json_string(t) as id from ${table} t`),
    tie('table').map((table) => `select string_agg(id) as id from ${table}`),
    fc.tuple(tie('query'), name).map(([a, b]) => `select (select max(id) from (${a})) as id from ${b}`),
    tie('table').map((table) => `select id from ${table} where project is not null`),
    tie('table').map((table) => `select id from ${table} where @project != 'x' or true`),
  ),
}));

/** A piece of an attack, in the middle of another text or cut off. */
const mutated = fc
  .tuple(
    fc.constantFrom(...attacks().values()).filter((sql) => sql.length < 400),
    fc.nat(400),
    fc.nat(400),
    fc.oneof(
      fc.constantFrom(
        ...demoSources,
        'logs.edge_logs',
        '`',
        '"',
        "'",
        '(',
        ')',
        '--',
        '/*',
        '*/',
        ';',
        '\n',
        '.',
        '\\',
      ),
      fc.tuple(fc.constantFrom(...positions), name).map(([position, table]) => inPosition(position, table)),
      query,
    ),
  )
  .map(([sql, start, end, piece]) => `${sql.slice(0, start)} ${piece} ${sql.slice(end)}`);

const textQuery = fc.oneof(
  query,
  mutated,
  fc.tuple(fc.constantFrom(...positions), name).map(([position, table]) => inPosition(position, table)),
);

async function answerTo(sql: string, endpoint: string): Promise<'rows' | 'refused' | 'late'> {
  const signal = AbortSignal.timeout(5000);
  try {
    const { rows } = await world.ask(sql, { endpoint, signal });
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toContain(marker);
    return 'rows';
  } catch (error) {
    if (error === signal.reason) return 'late';
    if (!(error instanceof GatewayError)) throw error;
    expect(error.message).not.toContain(marker);
    expect(error.status).toBeLessThan(500);
    return 'refused';
  }
}

test("only rows of the caller's project ever come back", async () => {
  const outcomes = { rows: 0, refused: 0, late: 0 };
  const property = fc.asyncProperty(
    textQuery,
    fc.constantFrom('logs.all', 'logs.all', 'odd', 'layers', 'recursive'),
    async (sql, endpoint) => {
      outcomes[await answerTo(sql, endpoint)]++;
    },
  );
  await fc.assert(property, { numRuns: 250 });
  // Else it would say nothing.
  expect(outcomes.rows).toBeGreaterThan(5);
  expect(outcomes.refused).toBeGreaterThan(5);
});

test('the marker is there to be found', async () => {
  const connection = await world.store.connect();
  try {
    const reader = await connection.runAndReadAll('SELECT count(*) FROM flat.billing_records');
    expect(reader.getRows()).toEqual([[6n]]);
  } finally {
    connection.closeSync();
  }
  const all = await world.rows('select id from own', {
    endpoint: 'odd',
    values: { project: 'ffffgggghhhhiiiijjjj' },
  });
  expect(JSON.stringify(all)).toContain(marker);
});
