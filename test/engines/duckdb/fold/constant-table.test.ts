import { expect, test } from 'vitest';
import { ConstantTable, type KnownConstants } from '../../../../src/engines/duckdb/fold/constant-table.ts';

test('long values of short expressions are not kept beyond a run', () => {
  const kept: KnownConstants = new Map();
  const table = new ConstantTable({ emit: () => '', parameters: new Map(), kept });
  table.learn({ sql: "repeat('a', 3)", type: { kind: 'STRING' } }, { value: 'aaa' });
  table.learn({ sql: "repeat('a', 1000000)", type: { kind: 'STRING' } }, { value: 'a'.repeat(1_000_000) });
  expect([...kept.keys()]).toEqual(["STRING repeat('a', 3)"]);
});
