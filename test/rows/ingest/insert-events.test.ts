import { expect, test } from 'vitest';
import type { RowInserter } from '../../../src/engines/bigquery/insert/row-inserter.ts';
import { parseEvents } from '../../../src/rows/ingest/events/parse-events.ts';
import { insertEvents } from '../../../src/rows/ingest/insert-all/insert-events.ts';
import { makeSource } from '../../engines/duckdb/store/make-source.ts';

const source = makeSource('app', { name: 'n', type: 'INT64' });

/** Adds a body of three events, the first of which doesn't fit, with an inserter that rejects the second row. */
async function addBody(partial: boolean) {
  const sent: string[] = [];
  const inserter: RowInserter = {
    async insert(_source, rows) {
      sent.push(...rows.map(({ insertId }) => insertId));
      return [{ index: 1, reason: 'n: too large' }];
    },
  };
  const add = insertEvents({
    inserter,
    sources: () => [source],
    parse: async (...body) => parseEvents(...body),
    timeoutMs: 1000,
  });
  const body = '{"id":"a","n":"x"}\n{"id":"b","n":1}\n{"id":"c","n":2}';
  const request = { format: 'json', source: 'app', receivedAt: 0n, partial } as const;
  return { outcome: await add(Buffer.from(body), request, new AbortController().signal), sent };
}

test('rows that BigQuery rejects are counted among those that were sent there', async () => {
  const { outcome, sent } = await addBody(true);
  expect(sent).toEqual(['b', 'c']);
  expect(outcome).toMatchObject({
    kind: 'added',
    rows: [{ source: 'app', imported: 1 }],
    rejected: {
      events: [
        { unit: 'line', index: 1, cause: 'type' },
        { unit: 'row', index: 2, cause: 'bigquery', reason: 'n: too large' },
      ],
    },
  });
});

test('of a body with an event that does not fit, nothing is sent', async () => {
  const { outcome, sent } = await addBody(false);
  expect(sent).toEqual([]);
  expect(outcome).toMatchObject({ kind: 'rejected', rejected: { events: [{ unit: 'line', index: 1 }] } });
});

test('rows for BigQuery have accepted times, or that of their arrival where their source says so', async () => {
  const sent: (string | undefined)[][] = [];
  const inserter: RowInserter = {
    async insert({ name }, rows) {
      sent.push([name, ...rows.map(({ day }) => day)]);
      return [];
    },
  };
  const sources = [source, { ...source, name: 'kept', timesOutOfRange: 'arrival' as const }];
  const add = insertEvents({
    inserter,
    sources: () => sources,
    parse: async (...body) => parseEvents(...body),
    timeoutMs: 1000,
  });
  const body = Buffer.from('{"id":"a","timestamp":"2999-01-01"}\n{"id":"b","timestamp":"2023-11-01"}');
  const receivedAt = 1_700_000_000_000_000n;
  const request = { format: 'json', receivedAt, partial: true } as const;
  const { signal } = new AbortController();
  expect(await add(body, { ...request, source: 'app' }, signal)).toMatchObject({
    rejected: { events: [{ index: 1, cause: 'time' }] },
  });
  await add(body, { ...request, source: 'kept' }, signal);
  expect(sent).toEqual([
    ['app', '20231101'],
    ['kept', '20231114', '20231101'],
  ]);
});

test('rows of a source without ids have insert ids of their body: those of other bodies differ', async () => {
  const sent: string[] = [];
  const inserter: RowInserter = {
    async insert(_source, rows) {
      sent.push(...rows.map(({ insertId }) => insertId));
      return [];
    },
  };
  const columns = source.columns.filter(({ name }) => name !== 'id');
  const add = insertEvents({
    inserter,
    sources: () => [{ ...source, columns }],
    parse: async (...body) => parseEvents(...body),
    timeoutMs: 1000,
  });
  const request = {
    format: 'json',
    source: 'app',
    receivedAt: 1_700_000_000_000_000n,
    partial: false,
  } as const;
  const event = '{"n":1,"timestamp":1700000000}';
  for (const body of [`[${event},${event}]`, event, event]) {
    const outcome = await add(Buffer.from(body), request, new AbortController().signal);
    expect(outcome.kind).toBe('added');
  }
  expect(sent).toHaveLength(4);
  expect(new Set(sent.slice(0, 3)).size).toBe(3);
  expect(sent[3]).toBe(sent[2]);
});
