import { expect, onTestFinished, test } from 'vitest';
import { addEvents } from '../../../src/rows/ingest/events/add-events.ts';
import { parseEvents } from '../../../src/rows/ingest/events/parse-events.ts';
import { makeSource } from '../../engines/duckdb/store/make-source.ts';
import { openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

const a = { name: 'a', type: 'STRING' };
const list = { name: 'list', type: 'STRING', mode: 'REPEATED' };

test('events that were parsed for a former form of their source are parsed again', async () => {
  const [before, grown] = [makeSource('s', a), makeSource('s', a, list)];
  const store = await openTestStore(await temporaryFolder(), before);
  onTestFinished(() => store.close());
  let parses = 0;
  const body = Buffer.from('{"id":"1","timestamp":"2024-01-01T00:00:00Z","a":"x"}');
  const request = {
    format: 'json',
    source: 's',
    receivedAt: 1_704_067_200_000_000n,
    partial: false,
  } as const;
  const outcome = await addEvents(
    store,
    async (...parts) => {
      const parsed = parseEvents(...parts);
      if (++parses === 1) await store.useSources([grown]);
      return parsed;
    },
    body,
    request,
  );
  expect(outcome).toMatchObject({ kind: 'added', rows: [{ source: 's', imported: 1, duplicates: 0 }] });
  expect(parses).toBe(2);
  // A list is never NULL.
  expect(await readRows(store, grown)).toEqual([['1', 1704067200000000n, 'x', []]]);
});
