import { expect, test } from 'vitest';
import { never } from '../../../src/base/async/race-with-abort.ts';
import type { Engine } from '../../../src/engines/engine/engine.ts';
import { type ExportParts, exportRows } from '../../../src/rows/export/export-rows.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import type { Column } from '../../../src/sql/values/type.ts';
import { makeSource } from '../../engines/duckdb/store/make-source.ts';

const source = makeSource('s');
const time: Column = { name: 'timestamp', type: { kind: 'TIMESTAMP' } };
const count: Column = { name: 'n', type: { kind: 'INT64' } };

/** Exports from an engine that has so many rows in these minutes. Returns the ranges that were read, and the permits then. */
async function rangesOf(
  minutes: readonly (readonly [minute: bigint, rows: bigint])[],
  from?: bigint,
  to?: bigint,
) {
  const ranges: unknown[] = [];
  let permits = 0;
  const hasBegun: boolean[] = [];
  const stream: Engine['stream'] = async ({ plan, parameters }, take) => {
    expect(permits).toBe(1);
    const isMinutes = plan.columns.length === 2;
    if (isMinutes) await take(columnsOfRows(plan.columns, minutes));
    else ranges.push([parameters.get('from'), parameters.get('to')]);
    return { truncated: false, engineMs: 0 };
  };
  const parts: ExportParts = {
    engine: { stream, prepare: async () => undefined },
    plan: async (sql, parameters) =>
      newPlan({
        ...{ sql, parameters, statement: { resolvedQueryStmtNode: {} } as never, isCallers: false },
        columns: sql.includes('GROUP BY') ? [time, count] : [time],
      }),
    async turns(_, isFurther) {
      permits += 1;
      hasBegun.push(isFurther);
      return {
        during: async (handOver) => handOver(),
        [Symbol.dispose]() {
          permits -= 1;
        },
      };
    },
  };
  const rows = await exportRows(source, { from, to }, parts, never);
  for await (const _ of rows.batches);
  expect(permits).toBe(0);
  // What has begun is never refused.
  expect(hasBegun).toEqual([false, ...ranges.map(() => true)]);
  return ranges;
}

test('rows are read in parts that meet at full minutes', async () => {
  const minutes = [
    [100n, 15_000n],
    [160n, 10_000n],
    [220n, 30_000n],
    [280n, 1n],
  ] as const;
  expect(await rangesOf(minutes, 110n, 290n)).toEqual([
    [110n, 220n],
    [220n, 280n],
    [280n, 290n],
  ]);
  expect(await rangesOf(minutes)).toEqual([
    [null, 220n],
    [220n, 280n],
    [280n, null],
  ]);
});

test('a range without rows is read once, for its columns', async () => {
  expect(await rangesOf([], 1n, 2n)).toEqual([[1n, 2n]]);
});
