import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/system/clock.ts';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { ingestBatch, type TestRow } from './ingest-batches.ts';
import { makeSource, readRows, temporaryFolder } from './support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' });
const rowCount = 60_000;

/** A clock without pauses between commits: requests are committed while the import copies its rows. */
const hurriedClock: Clock = {
  ...systemClock,
  after: (milliseconds, callback) => systemClock.after(milliseconds < 1000 ? 0 : milliseconds, callback),
};

function rowOf(n: number): TestRow {
  return { id: `row ${n}`, timestamp: new Date(1_700_000_000_000 + n).toISOString(), n };
}

async function* allRows(): AsyncGenerator<RowBatch> {
  for (let from = 0; from < rowCount; from += 20_000) {
    const lines = Array.from({ length: 20_000 }, (_, i) => JSON.stringify(rowOf(from + i)));
    yield { rows: lines.length, parts: [{ rows: lines.length, text: lines.join('\n') }] };
  }
}

test('rows that arrive while an import copies the same rows are there once, whoever is first', async () => {
  const store = await openStore({
    ...{ dataDir: await temporaryFolder(), sources: [source], memoryLimit: '500MB', threads: 2 },
    clock: hurriedClock,
  });
  onTestFinished(() => store.close());
  let isImporting = true;
  const appended = store.append(source, allRows(), { origin: 'imported' }).finally(() => {
    isImporting = false;
  });
  let ingested = 0;
  for (let n = 0; isImporting; n += 100) {
    const rows = Array.from({ length: 100 }, (_, i) => rowOf(((n + i) * 7919) % rowCount));
    const [counts] = await store.ingest([ingestBatch(source, rows)]);
    ingested += counts?.imported ?? 0;
  }
  const { imported, alreadyThere, repeated } = await appended;
  expect({ all: imported + alreadyThere, repeated }).toEqual({ all: rowCount, repeated: 0 });
  expect(imported + ingested).toBe(rowCount);
  const ids = (await readRows(store, source)).map(([id]) => id);
  expect(ids.length).toBe(rowCount);
  expect(new Set(ids).size).toBe(rowCount);
});
