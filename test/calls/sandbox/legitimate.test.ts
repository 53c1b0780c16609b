import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from './support/attacks.ts';
import { marker, openWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const text = readFileSync(new URL('legitimate.sql', import.meta.url), 'utf8');
const queries = [...entriesOf(text), 'select\u00a01', 'select 1\r\n-- x\r\n', "select '𝄞'"];

test('there are many of them', () => {
  expect(queries.length).toBeGreaterThan(110);
});

describe('is answered, with rows of the own project only', () => {
  test.each(queries)('%s', async (sql) => {
    const rows = await world.rows(sql, { values: { iso_timestamp_start: '2026-11-19' } });
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(marker);
  });
});
