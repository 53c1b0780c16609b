import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { readBlocks } from '../../../../src/engines/duckdb/store/tables/read-blocks.ts';
import { allRowsSql, flatTable } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import { overlapDepth } from '../../../../src/engines/duckdb/store/tables/time-order.ts';
import { makeSource, openTestStore, temporaryFolder } from './support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' });

/** Rows whose times are spread over a month without any order. */
async function* shuffled(first: number, count: number): AsyncGenerator<RowBatch> {
  const lines: string[] = [];
  for (let n = first; n < first + count; n++) {
    const seconds = Math.imul(n, 2_654_435_761) >>> 11;
    const timestamp = new Date(1_700_000_000_000 + seconds * 1000).toISOString();
    lines.push(JSON.stringify({ id: `row ${n}`, timestamp, n }));
  }
  yield { rows: count, parts: [{ rows: count, text: lines.join('\n') }] };
}

describe('a table that grows by shuffled files', () => {
  test('comes back into timestamp order, keeps every row, and readers go on meanwhile', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const reader = await store.connect();
    const looking = await store.connect();
    onTestFinished(() => {
      reader.closeSync();
      looking.closeSync();
    });
    const files = 12;
    const rowsEach = 60_000;
    let adding = true;
    const reading = (async () => {
      let least = 0;
      while (adding) {
        const counted = await store.read(reader, () =>
          reader.runAndReadAll(`SELECT count(*), sum(n) FROM ${allRowsSql(source)}`),
        );
        const rows = Number(counted.value(0, 0));
        expect(rows % rowsEach).toBe(0);
        expect(Number(counted.value(1, 0) ?? 0)).toBe((rows * rows - rows) / 2);
        await setTimeout(20);
        expect(rows).toBeGreaterThanOrEqual(least);
        least = rows;
      }
    })();
    // Met where it is awaited below.
    reading.catch(() => undefined);
    for (let file = 0; file < files; file++) {
      await store.append(source, shuffled(file * rowsEach, rowsEach), { origin: 'imported' });
      expect(
        overlapDepth(await readBlocks(looking, flatTable(source).sql, '"timestamp"')),
      ).toBeLessThanOrEqual(3);
    }
    adding = false;
    await reading;
    const sums = await reader.runAndReadAll(`SELECT count(*), count(DISTINCT n) FROM ${allRowsSql(source)}`);
    const total = files * rowsEach;
    expect(sums.getRowsJson()).toEqual([[String(total), String(total)]]);
  });
});
