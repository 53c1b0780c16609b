import { expect, test } from 'vitest';
import { ConstantTable, type KnownConstants } from '../../../../src/engines/duckdb/fold/constant-table.ts';
import { constantNode } from '../../../../src/sql/resolved/node.ts';

const text = { kind: 'STRING' } as const;
const tableOn = (kept: KnownConstants) => new ConstantTable({ emit: () => '', parameters: new Map(), kept });

test('long values of short expressions are not kept beyond a run', () => {
  const kept: KnownConstants = new Map();
  const table = tableOn(kept);
  table.learn({ sql: "repeat('a', 3)", type: text }, { value: 'aaa' });
  table.learn({ sql: "repeat('a', 1000000)", type: text }, { value: 'a'.repeat(1_000_000) });
  expect([...kept.keys()]).toEqual(["STRING repeat('a', 3)"]);
});

test("the moment's failures are not kept beyond a run, others are", () => {
  const kept: KnownConstants = new Map();
  const table = tableOn(kept);
  table.learn({ sql: 'a', type: text }, { error: 'no room', isTransient: true });
  table.learn({ sql: 'b', type: text }, { error: 'no number', isTransient: false });
  expect([...kept.keys()]).toEqual(['STRING b']);
});

test('of many, those are kept that were used last', () => {
  const kept: KnownConstants = new Map();
  const learn = (sql: string) => tableOn(kept).learn({ sql, type: text }, { value: sql });
  const asking = () => new ConstantTable({ emit: () => 'text 0', parameters: new Map(), kept });
  for (let n = 0; n < 10_000; n++) {
    learn(`text ${n}`);
    expect(asking().lookup(constantNode(text, ''))).toEqual({ value: 'text 0' });
  }
  expect(kept.size).toBeLessThan(10_000);
  expect(kept.has('STRING text 0')).toBe(true);
  expect(kept.has('STRING text 1')).toBe(false);
});
