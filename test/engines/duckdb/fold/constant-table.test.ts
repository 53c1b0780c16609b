import { expect, test } from 'vitest';
import { fixedNode } from '../../../../src/engines/duckdb/dialect/constant.ts';
import { ConstantTable, KnownConstants } from '../../../../src/engines/duckdb/fold/constant-table.ts';

const text = { kind: 'STRING' } as const;
const tableOn = (kept: KnownConstants) => new ConstantTable({ emit: () => '', parameters: new Map(), kept });

test('long values of short expressions are not kept beyond a run', () => {
  const kept = new KnownConstants();
  const table = tableOn(kept);
  table.learn({ sql: "repeat('a', 3)", type: text }, { value: 'aaa' });
  table.learn({ sql: "repeat('a', 1000000)", type: text }, { value: 'a'.repeat(1_000_000) });
  expect(kept.recall({ sql: "repeat('a', 3)", type: text })).toEqual({ value: 'aaa' });
  expect(kept.recall({ sql: "repeat('a', 1000000)", type: text })).toBe(undefined);
});

test("the moment's failures are not kept beyond a run, others are", () => {
  const kept = new KnownConstants();
  const table = tableOn(kept);
  table.learn({ sql: 'a', type: text }, { error: 'no room', isTransient: true });
  table.learn({ sql: 'b', type: text }, { error: 'no number', isTransient: false });
  expect(kept.recall({ sql: 'a', type: text })).toBe(undefined);
  expect(kept.recall({ sql: 'b', type: text })).toMatchObject({ error: 'no number' });
});

test('of many, those are kept that were used last', () => {
  const kept = new KnownConstants();
  const learn = (sql: string) => tableOn(kept).learn({ sql, type: text }, { value: sql });
  const asking = () => new ConstantTable({ emit: () => 'text 0', parameters: new Map(), kept });
  for (let n = 0; n < 10_000; n++) {
    learn(`text ${n}`);
    expect(asking().lookup(fixedNode(text, ''))).toMatchObject({ constant: { value: 'text 0' } });
  }
  expect(kept.recall({ sql: 'text 0', type: text })).toBeDefined();
  expect(kept.recall({ sql: 'text 1', type: text })).toBe(undefined);
});
