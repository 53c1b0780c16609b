import { expect, test } from 'vitest';
import { plannedScans, timeBoundsOf } from '../../../../src/engines/duckdb/estimates/planned-scans.ts';

/** The bounds of `time` in filters as DuckDB writes them. */
function bounds(filters: string | readonly string[], areClear = true) {
  const info = { Table: 'store.flat.s', Projections: 'id', Filters: filters };
  const json = JSON.stringify([{ name: 'SEQ_SCAN', children: [], extra_info: info }]);
  return plannedScans(json, areClear).map((scan) => timeBoundsOf(scan, 'time'))[0];
}

const none = { from: undefined, to: undefined };
const day = (n: number) => `'2026-01-0${n} 00:00:00'::TIMESTAMP`;
const micros = (n: number) => BigInt(Date.UTC(2026, 0, n)) * 1000n;

test('the narrowest bounds of the time count', () => {
  expect(bounds(`time>=${day(1)} AND time<${day(4)}`)).toEqual({ from: micros(1), to: micros(4) });
  expect(bounds(['id=3', `time>${day(2)}`, `time>=${day(1)}`])).toEqual({ from: micros(2), to: undefined });
  expect(bounds(`time=${day(3)}`)).toEqual({ from: micros(3), to: micros(3) });
  expect(bounds(`Time<='2026-01-02'::DATE`)).toEqual({ from: undefined, to: micros(2) });
  expect(bounds(`time<='2026-01-02 00:00:00.000001'::TIMESTAMP`)?.to).toBe(micros(2) + 1n);
  expect(bounds(`time>=${day(1)} AND optional: Dynamic Filter (time)`)?.from).toBe(micros(1));
});

test.each([
  [[]],
  [`time>=${day(1)} OR time<${day(3)}`],
  [`time>=${day(1)} AND time<${day(3)} OR time=${day(4)}`],
  [`(time >= ${day(1)})`],
  [`time IN (${day(1)}, ${day(2)})`],
  [`optional: time>=${day(1)}`],
  [`timestamp>=${day(1)}`],
  [`time>=id`],
  [`time>='infinity'::TIMESTAMP`],
  [`time>='2026-01-01 00:00:00 (BC)'::TIMESTAMP`],
  [`time IS NOT NULL`],
])('anything else is no bound: %s', (filters) => {
  expect(bounds(filters)).toEqual(none);
});

test('a text with line breaks is no bound', () => {
  expect(bounds(["id='a", `time>=${day(1).replaceAll("'", "''")}`, "b'"])).toEqual(none);
  expect(bounds(["id='a", 'time>=1', `'`, `time<${day(3)}`])).toEqual({ from: undefined, to: micros(3) });
  expect(bounds([`list_contains([a`, `time>=${day(1)}`, 'b], id)'], false)).toEqual(none);
});

test('what follows the first part of a recursive query is repeated', () => {
  const scan = (table: string) => ({ name: 'SEQ_SCAN', children: [], extra_info: { Table: table } });
  const join = { name: 'HASH_JOIN', children: [scan('b'), scan('c')], extra_info: {} };
  const json = JSON.stringify([{ name: 'REC_CTE', children: [scan('a'), join], extra_info: {} }]);
  expect(plannedScans(json, true).map(({ table, isRepeated }) => [table, isRepeated])).toEqual([
    ['a', false],
    ['b', true],
    ['c', true],
  ]);
});
