import { expect, test } from 'vitest';
import {
  lqlText,
  readLqlText,
  readSqlText,
  sqlText,
} from '../../../../src/console/pages/explore/question/edited-text.ts';
import {
  type Exploration,
  type Filter,
  formatExploration,
  nothingChosen,
  parseExploration,
  pathNames,
  pathText,
  withFilter,
} from '../../../../src/console/pages/explore/question/exploration.ts';
import { exploredTable } from '../../../../src/console/pages/explore/question/explored-table.ts';
import { everyOf } from '../../../../src/console/pages/explore/question/facet-query.ts';
import { histogramOf, stepOf, wholeBars } from '../../../../src/console/pages/explore/question/histogram.ts';
import {
  isId,
  levelField,
  likelyFacets,
} from '../../../../src/console/pages/explore/question/likely-fields.ts';
import { valueAt } from '../../../../src/console/pages/explore/question/row-values.ts';
import { shownColumns, shownRow } from '../../../../src/console/pages/explore/question/shown-columns.ts';
import { parseRange } from '../../../../src/console/parts/time/time-range.ts';
import { eventsTable as table } from './events-table.ts';

const is = (path: string, value: string, operator: Filter['operator'] = '='): Filter => ({
  path,
  operator,
  value,
});

test.each<Partial<Exploration>>([
  {},
  { range: parseRange('yesterday') ?? nothingChosen.range },
  { filters: [is('a.b', ' two  spaces\n'), is('c', ''), is('d', '', 'missing'), is('e', '= >=', '>=')] },
  { sql: 'a = 1\nOR b', lql: 'm.level:error "x y"' },
  { columns: ['a', 'm.b'], order: { path: 'm.b', isDescending: true } },
  { columns: [], facets: [] },
  {
    facets: [
      { path: 'm.path', parts: 2 },
      { path: 'n', parts: 0 },
    ],
    order: { path: 'n', isDescending: false },
  },
])('an address says what is chosen: %o', (changed) => {
  const exploration = { ...nothingChosen, ...changed };
  const address = new URLSearchParams(formatExploration(exploration).map((pair) => [...pair])).toString();
  expect(parseExploration(new URLSearchParams(address))).toEqual({ exploration, mistakes: [] });
});

test('what an address says wrongly is told, and not guessed', () => {
  const { mistakes } = parseExploration(new URLSearchParams('range=never&filter=a&filter=a+like+b&order='));
  expect(mistakes).toEqual([
    'The address has no valid range: never',
    'The address has no valid filter: a',
    'The address has no valid filter: a like b',
    'The address has no valid order: ',
  ]);
});

test('names of fields can have any characters', () => {
  const names = ['a.b', 'c d', '100%', '%2E', 'x,y'];
  expect(pathText(names)).not.toMatch(/[ ,]/);
  expect(pathNames(pathText(names))).toEqual(names);
});

test('a filter replaces what it contradicts, and stands there once', () => {
  const first = withFilter(nothingChosen, is('a', '1'));
  const second = withFilter(first, is('b', '1'));
  expect(withFilter(second, is('a', '1', '!=')).filters).toEqual([is('b', '1'), is('a', '1', '!=')]);
  expect(withFilter(second, is('a', '1')).filters).toHaveLength(2);
});

const before = {
  filters: [is('n', '1'), is('metadata.status', '5', '!='), is('tags', 'a')],
  sql: '',
  lql: '',
};

test('conditions in SQL are read back: filters that stand in them stay filters', () => {
  const text = sqlText(before, table);
  expect(readSqlText(text, before, table)).toEqual(before);
  const added = readSqlText(`${text}\nAND x > 0.5`, before, table);
  expect(added).toEqual({ ...before, sql: 'x > 0.5' });
  expect(readSqlText(sqlText(added, table), added, table)).toEqual(added);
  const [, ...others] = text.split('\nAND ');
  expect(readSqlText(others.join('\nAND '), before, table).filters).toEqual(before.filters.slice(1));
  expect(readSqlText('', before, table)).toEqual({ filters: [], sql: '', lql: '' });
});

test.each(['n = 1\nAND x = 1 OR flag', 'NOT (flag\nAND n = 1\nAND x = 1)', 'n = 1\nAND x = 1 -- or'])(
  'conditions that depend on what is beside them stay one: %s',
  (text) => {
    expect(readSqlText(text, before, table)).toEqual({ filters: [], sql: text, lql: '' });
  },
);

test('filters in LQL are read back, and those that it can’t say stay', () => {
  const all = { ...before, lql: 'm.level:error' };
  expect(lqlText(all, table)).toBe('n:1 m.level:error');
  expect(readLqlText(lqlText(all, table), all, table)).toEqual({
    filters: [is('metadata.status', '5', '!='), is('tags', 'a'), is('n', '1')],
    sql: '',
    lql: 'm.level:error',
  });
  expect(readLqlText('x:>1 "two words"', all, table)).toEqual({
    filters: [is('metadata.status', '5', '!='), is('tags', 'a')],
    sql: '',
    lql: 'x:>1 "two words"',
  });
  expect(() => readLqlText('"open', all, table)).toThrow('the quote is never closed');
});

test('few rows are all counted, and of many a prime part', () => {
  expect(everyOf(300_000, table)).toBe(1);
  expect(everyOf(400_000, table)).toBe(11);
  expect(everyOf(10_000_000, table)).toBe(67);
  const daily = exploredTable({
    name: 'd',
    time: 'day',
    columns: [{ name: 'day', type: 'DATE', description: '' }],
  });
  expect(everyOf(10_000_000, daily)).toBe(1);
});

test('bars have the lengths of clocks, and levels their colours', () => {
  const span = { from: 0, to: 86_400_000 };
  expect(stepOf(span)).toBe(1800);
  const { data, counts, total } = histogramOf(
    [
      { second: 0, value: '200', row_count: 3 },
      { second: 1800, value: '503', row_count: 2 },
      { second: 1800, value: null, row_count: 1 },
    ],
    span,
    1800,
    'status_code',
  );
  expect([...counts]).toEqual([
    ['error', 2],
    ['info', 3],
    ['none', 1],
  ]);
  expect(total).toBe(6);
  expect(data.series.map(({ colour }) => colour)).toEqual([
    '--severity-error',
    '--severity-info',
    '--severity-none',
  ]);
  expect(wholeBars({ from: 100_000, to: 2_000_000 }, 1800)).toEqual({ from: 0, to: 3_600_000 });
});

test('the fields that tell rows apart come first, levels before all', () => {
  expect(levelField(table)?.path).toBe('metadata.level');
  expect(likelyFacets(table)).toEqual([
    { path: 'metadata.level', parts: 0 },
    { path: 'metadata.request.path', parts: 1 },
    { path: 'metadata.user.name', parts: 0 },
  ]);
});

test.each([
  ['metadata.request_id', 'x', true],
  ['traceId', 'x', true],
  ['headers.cf_ray', 'x', true],
  ['user', '758a1186-43fe-42ca-a20c-87a912250c70', true],
  ['valid', 'x', false],
  ['id', '', false],
])('ids are known by their names and forms: %s %s', (path, value, expected) => {
  expect(isId(path, value)).toBe(expected);
});

test('rows have the values of nested fields as columns', () => {
  const row = {
    timestamp: 't',
    n: 1,
    metadata: [{ request: [{ path: '/a' }, { path: null }] }, { request: [{ path: '/b' }] }],
  };
  expect(valueAt(row, 'metadata.request.path')).toEqual(['/a', '/b']);
  expect(valueAt({ metadata: [] }, 'metadata.request.path')).toBeNull();
  const columns = shownColumns(table, ['metadata.request.path', 'metadata.level', 'n']);
  expect(columns.map(({ name }) => name)).toEqual(['timestamp', 'path', 'level', 'n']);
  expect(shownRow({ ...row, metadata: [{ request: [{ path: '/a' }] }] }, columns)).toEqual({
    timestamp: 't',
    path: '/a',
    level: null,
    n: 1,
  });
});
