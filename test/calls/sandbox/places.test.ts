import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOf, placeOfByte } from '../../../src/sql/text/place.ts';
import { positionAt } from '../../../src/sql/text/text-position.ts';
import { openWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Where `word`, found in the text that runs, stands in what its author wrote. */
async function placeOfWord(word: string, sql: string) {
  const { plan } = await world.queries.plan(world.endpoint('logs.all'), sql);
  return placeOfByte(plan, Buffer.byteLength(plan.sql.slice(0, plan.sql.lastIndexOf(word))));
}

test.each([
  ['over an entry', "-- é\n\tselect 'ü' as a,\n\tid as here from edge_logs", { line: 3, column: 8 }],
  ['a record', "select as struct 'é' as a, 1 as here from edge_logs", { line: 1, column: 33 }],
  ['over nothing', '/* a\n */ select 1 as here -- end', { line: 2, column: 17 }],
])('a place of a plan is one of the caller’s text: %s', async (_, sql, place) => {
  expect(await placeOfWord('here', sql)).toEqual(place);
});

test.each([
  ['over an entry', "-- é\nfrom edge_logs\n|> where id != 'é' and spot = 'x'", { line: 3, column: 24 }],
  [
    'behind other steps',
    'from edge_logs as e |> extend 1 as x |> where x = 1 |> where spot = e.id',
    { line: 1, column: 62 },
  ],
  ['over nothing', "select 'é' as a |> select a,\n\tspot as b", { line: 2, column: 2 }],
  ['of a chained call', "select ('é').concat(spot) as a", { line: 1, column: 21 }],
])('errors in pipe syntax tell places of the caller’s text: %s', async (_, sql, place) => {
  const endpoint = world.endpoint('logs.all');
  await expect(world.queries.plan(endpoint, sql)).rejects.toMatchObject({
    message: `Unrecognized name: spot [at ${place.line}:${place.column}]`,
    details: { location: place },
  });
  const { plan } = await world.queries.plan(endpoint, sql.replace('spot', "'spot'"));
  const at = Buffer.byteLength(plan.sql.slice(0, plan.sql.indexOf("'spot'")));
  expect(placeOfByte(plan, at)).toEqual(place);
});

test('a place of the stored entries is none of the caller’s', async () => {
  expect(await placeOfWord('logs.edge_logs', 'select id from edge_logs')).toBeUndefined();
  const below = `${'\n'.repeat(100)}select id from edge_logs`;
  expect(await placeOfWord('logs.edge_logs', below)).toBeUndefined();
});

test('a place of a stored query is one of its file', () => {
  const { plan } = world.endpoint('usage.api-counts');
  const at = plan.sql.indexOf('COALESCE');
  const before = plan.sql.slice(0, at).split('\n').length;
  const place = placeOf(plan, positionAt(plan.sql, at));
  expect(place?.column).toBe(3);
  expect(place?.line).toBeGreaterThan(before);
});
