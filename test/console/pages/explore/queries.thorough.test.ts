import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conditionsOf } from '../../../../src/console/pages/explore/question/conditions.ts';
import {
  type Exploration,
  type Filter,
  nothingChosen,
  type Operator,
} from '../../../../src/console/pages/explore/question/exploration.ts';
import { reach } from '../../../../src/console/pages/explore/question/explored-table.ts';
import {
  facetExclusion,
  facetFilter,
  facetSql,
  facetValues,
} from '../../../../src/console/pages/explore/question/facet-query.ts';
import { histogramOf } from '../../../../src/console/pages/explore/question/histogram.ts';
import {
  aroundSql,
  histogramSql,
  newestSql,
  rowsSql,
} from '../../../../src/console/pages/explore/question/queries.ts';
import { writtenLql } from '../../../../src/console/pages/explore/question/written-lql.ts';
import { valuesAt } from '../../../sql/lql/support/evaluate-filter.ts';
import {
  type Event,
  eventColumns,
  fractions,
  someEvents,
  texts,
  wholes,
} from '../../../sql/lql/support/events.ts';
import { type LqlWorld, openLqlWorld } from '../../../sql/lql/support/lql-world.ts';
import { eventsTable as table } from './events-table.ts';

const events = someEvents(120);
const all = { from: Date.UTC(2026, 10, 19), to: Date.UTC(2026, 10, 21) };
let world: LqlWorld;
beforeAll(async () => {
  world = await openLqlWorld(eventColumns, events, BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const paths: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  event_message: texts,
  n: wholes,
  x: fractions,
  flag: [true, false],
  tags: texts,
  numbers: wholes,
  'metadata.level': ['error', 'other'],
  'metadata.status': wholes,
  'metadata.tags': texts,
  'metadata.user.name': texts,
  'metadata.request.path': texts,
  'metadata.request.ms': fractions,
};

const valuesOf = (event: Event, path: string) =>
  valuesAt(event, path.split('.'))
    .flat()
    .filter((value) => value !== null) as (string | number | boolean)[];

function exploring(changed: Partial<Exploration>) {
  const exploration = { ...nothingChosen, ...changed };
  const { sql, mistakes } = conditionsOf(exploration, table, all);
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return { exploration, sql };
}

async function idsOf(sql: readonly string[]): Promise<readonly unknown[]> {
  const text = rowsSql(table, nothingChosen, sql).replace('LIMIT 200', 'LIMIT 1000');
  return (await world.ask(text, 'sql')).map(({ id }) => id).toSorted();
}

const idsWhere = (passes: (event: Event) => boolean) =>
  events
    .filter(passes)
    .map(({ id }) => id)
    .toSorted();

const tests: Readonly<Record<'=' | '>' | '>=' | '<' | '<=', (one: unknown, other: unknown) => boolean>> = {
  '=': (one, other) => one === other,
  '>': (one, other) => (one as number) > (other as number),
  '>=': (one, other) => (one as number) >= (other as number),
  '<': (one, other) => (one as number) < (other as number),
  '<=': (one, other) => (one as number) <= (other as number),
};

describe.each(Object.entries(paths))('filters of %s', (path, values) => {
  const filter = (operator: Operator, value: unknown): Filter => ({ path, operator, value: String(value) });

  test('choose the rows with a value, and all other rows', async () => {
    for (const value of values.slice(-5)) {
      const only = exploring({ filters: [filter('=', value)] });
      const has = (event: Event) => valuesOf(event, path).includes(value);
      expect(await idsOf(only.sql)).toEqual(idsWhere(has));
      const without = exploring({ filters: [filter('!=', value)] });
      expect(await idsOf(without.sql)).toEqual(idsWhere((event) => !has(event)));
    }
    const [value = ''] = values;
    if (typeof value !== 'number') return;
    for (const operator of ['>', '>=', '<', '<='] as const) {
      const passes = (event: Event) => valuesOf(event, path).some((one) => tests[operator](one, value));
      expect(await idsOf(exploring({ filters: [filter(operator, value)] }).sql)).toEqual(idsWhere(passes));
    }
  });

  test('choose rows with and without any value', async () => {
    const has = (event: Event) => valuesOf(event, path).length > 0;
    expect(await idsOf(exploring({ filters: [filter('exists', '')] }).sql)).toEqual(idsWhere(has));
    expect(await idsOf(exploring({ filters: [filter('missing', '')] }).sql)).toEqual(
      idsWhere((event) => !has(event)),
    );
  });

  test('choose texts that contain one', async () => {
    if (typeof values[0] !== 'string') return;
    for (const value of ['a', `"\\'`]) {
      const contains = (event: Event) => valuesOf(event, path).some((one) => String(one).includes(value));
      expect(await idsOf(exploring({ filters: [filter('contains', value)] }).sql)).toEqual(
        idsWhere(contains),
      );
      expect(await idsOf(exploring({ filters: [filter('lacks', value)] }).sql)).toEqual(
        idsWhere((event) => !contains(event)),
      );
    }
  });

  test('mean the same in LQL, or are not said in it', async () => {
    const operators = [
      '=',
      '!=',
      'exists',
      'missing',
      'contains',
      'lacks',
      'within',
      'outside',
      '>=',
    ] as const;
    for (const operator of operators) {
      for (const value of values.slice(-2)) {
        const { filters, mistakes } = tried([filter(operator, value)]);
        const { clauses, unsaid } = writtenLql({ ...nothingChosen, filters }, table);
        expect(clauses.length + unsaid.length).toBe(1);
        if (mistakes.length > 0 || clauses.length === 0) continue;
        const rows = await world.ask(`f:events ${clauses.join(' ')}`);
        expect([clauses, rows.map(({ id }) => id).toSorted()]).toEqual([
          clauses,
          await idsOf(exploring({ filters }).sql),
        ]);
      }
    }
  });

  const tried = (filters: readonly Filter[]) => ({
    filters,
    mistakes: conditionsOf({ ...nothingChosen, filters }, table, all).mistakes,
  });

  test('come from facets, whose counts are those of the rows', async () => {
    const field = reach(table.ofRow, path);
    if (field === undefined) throw new Error('there is no such field');
    const facet = { path, parts: 0 };
    const found = facetValues(
      (await world.ask(facetSql(table, facet, field, exploring({}).sql, 1), 'sql')) as never,
    );
    expect(found.values.length).toBeGreaterThan(1);
    for (const { value, rows } of found.values) {
      const elements = events.flatMap((event) => valuesOf(event, path)).map(String);
      if (value !== null)
        expect([value, rows]).toEqual([value, elements.filter((one) => one === value).length]);
      const only = await idsOf(exploring({ filters: [facetFilter(facet, value)] }).sql);
      const others = await idsOf(exploring({ filters: [facetExclusion(facet, value)] }).sql);
      expect([...only, ...others].toSorted()).toEqual(idsWhere(() => true));
      if (field.lists.length === 0) expect(only).toHaveLength(rows);
    }
    const different = new Set(events.flatMap((event) => valuesOf(event, path))).size;
    expect(found.different).toBe(different);
  });

  test('can order the rows', async () => {
    const sql = rowsSql(table, { ...nothingChosen, order: { path, isDescending: true } }, exploring({}).sql);
    const rows = await world.ask(sql, 'sql');
    expect(rows.map(({ id }) => id).toSorted()).toEqual(idsWhere(() => true));
    expect(Object.keys(rows[0] ?? {})).toContain('metadata');
  });
});

test('conditions of all kinds hold together', async () => {
  const { sql } = exploring({
    filters: [{ path: 'metadata.status', operator: '>=', value: '1' }],
    sql: 'n = 1 OR n = 5 -- of few',
    lql: '-m.level:error',
  });
  const others = (await world.ask('-m.level:error')).map(({ id }) => id);
  expect(await idsOf(sql)).toEqual(
    idsWhere(
      (event) =>
        valuesOf(event, 'metadata.status').some((status) => Number(status) >= 1) &&
        (event.n === 1 || event.n === 5) &&
        others.includes(event.id),
    ),
  );
});

test('a span ends before its end', async () => {
  const time = Date.UTC(2026, 10, 20);
  const before = conditionsOf(nothingChosen, table, { from: all.from, to: time }).sql;
  const after = conditionsOf(nothingChosen, table, { from: time, to: all.to }).sql;
  expect(await idsOf(before)).toEqual(idsWhere(({ timestamp }) => Date.parse(timestamp) < time));
  expect(await idsOf(after)).toEqual(idsWhere(({ timestamp }) => Date.parse(timestamp) >= time));
});

test.each([
  [{ path: 'nothing', operator: '=', value: '1' }, 'events has no field nothing with values.'],
  [{ path: 'n', operator: '>', value: 'x' }, 'n > needs a whole number from'],
  [{ path: 'n', operator: 'contains', value: '1' }, 'n is INT64: only texts have parts.'],
] as const)('a filter that means nothing is refused: %o', (filter, message) => {
  expect(conditionsOf({ ...nothingChosen, filters: [filter] }, table, all).mistakes[0]).toContain(message);
});

test('what is wrong with LQL is said with its place', () => {
  const { mistakes } = conditionsOf({ ...nothingChosen, lql: 'm.nothing:1' }, table, all);
  expect(mistakes[0]).toContain('metadata has no field nothing');
});

test('elements with fields of the names of columns are no hindrance', async () => {
  const { sql } = exploring({
    filters: [{ path: 'tags', operator: '=', value: 'a' }],
    sql: 'ARRAY_LENGTH(tags) > 1',
  });
  const expected = idsWhere(({ tags }) => tags.includes('a') && tags.length > 1);
  const order = { path: 'metadata.level', isDescending: false };
  for (const columns of [undefined, ['tags', 'metadata.tags']]) {
    const rows = await world.ask(rowsSql(table, { order, columns }, sql), 'sql');
    expect(rows).toHaveLength(expected.length);
  }
  const field = reach(table.ofRow, 'metadata.level');
  if (field === undefined) throw new Error('there is no such field');
  const counts = await world.ask(histogramSql(table, sql, 3600, field), 'sql');
  expect(histogramOf(counts as never, all, 3600, 'level').total).toBe(expected.length);
  const facet = await world.ask(facetSql(table, { path: field.path, parts: 0 }, field, sql, 1), 'sql');
  expect(facetValues(facet as never).values.length).toBeGreaterThan(0);
});

describe('a histogram', () => {
  test.each([undefined, 'metadata.level', 'flag'])('counts each row once, split by %s', async (path) => {
    const split = path === undefined ? undefined : reach(table.ofRow, path);
    const rows = await world.ask(histogramSql(table, exploring({}).sql, 3600, split), 'sql');
    const { data, total } = histogramOf(rows as never, all, 3600, path);
    expect(total).toBe(events.length);
    expect(data.times).toHaveLength(48);
    expect(data.times[0]).toBe(all.from / 1000 + 1800);
  });

  test('has bars at their places before 1970, too', async () => {
    const conditions = ["timestamp >= TIMESTAMP '2026-11-20 05:00:00+00'"];
    const rows = await world.ask(histogramSql(table, conditions, 7, undefined), 'sql');
    expect(rows.map(({ second }) => Number(second) % 7)).toEqual(rows.map(() => 0));
    const old = histogramSql(table, [], 7, undefined).replaceAll(
      't.timestamp',
      "TIMESTAMP '1969-12-31 23:59:59+00'",
    );
    expect((await world.ask(old, 'sql')).map(({ second }) => second)).toEqual([-7]);
  });
});

test('a facet of paths has their beginnings, and filters for what is below them', async () => {
  const field = reach(table.ofRow, 'event_message');
  if (field === undefined) throw new Error('there is no such field');
  const sql = facetSql(table, { path: 'event_message', parts: 1 }, field, [], 1).replaceAll(
    'REGEXP_EXTRACT(t.event_message',
    "REGEXP_EXTRACT('/rest/v1/users'",
  );
  expect((await world.ask(sql, 'sql'))[0]).toMatchObject({ value: '/rest', row_count: events.length });
  const facet = { path: 'event_message', parts: 2 };
  expect(facetFilter(facet, '/rest/v1')).toMatchObject({ operator: 'within' });
  expect(facetFilter(facet, '/rest')).toMatchObject({ operator: '=' });
});

test('the newest row, and those around one', async () => {
  const [{ newest } = {}] = await world.ask(newestSql(table, []), 'sql');
  const stamps = events.map(({ timestamp }) => timestamp).toSorted();
  expect(newest).toBe(Date.parse(stamps.at(-1) ?? '') * 1000);
  const middle = '2026-11-20T00:00:00Z';
  const before = await world.ask(aroundSql(table, middle, 'before'), 'sql');
  const after = await world.ask(aroundSql(table, middle, 'after'), 'sql');
  expect(before.every(({ timestamp }) => Number(timestamp) < Date.parse(middle) * 1000)).toBe(true);
  expect(after.every(({ timestamp }) => Number(timestamp) >= Date.parse(middle) * 1000)).toBe(true);
  expect(before.length).toBeGreaterThan(0);
});
