import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueSeparator } from '../../../../src/engines/duckdb/store/insert/flat-batch.ts';
import type { EventRequest } from '../../../../src/rows/ingest/events/event-request.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { RowParser } from '../../../../src/rows/ingest/parse/row-parser.ts';
import { anyTime, appSource, arrival, flatRows, parse } from './support.ts';

const source = appSource({ unknownFields: 'ignore' });
const timestamp = '2024-02-09T01:02:03Z';
const minutes = (count: number) => BigInt(count) * 60_000_000n;
/** The beginning of ten minutes. */
const base = arrival - (arrival % minutes(10));

const idsOf = (body: unknown, receivedAt = arrival) =>
  flatRows(parse(body, source, { receivedAt }), source).map(({ id }) => id);

describe('made ids', () => {
  const body = JSON.stringify([{ timestamp }, { timestamp }, { x: 1, timestamp }]);
  const made = (text: string, options: Partial<EventRequest> = {}) =>
    flatRows(parse(text, source, options), source).map(({ id }) => id);

  test('are the same when a body is sent again, compressed or not, and differ within it', () => {
    const ids = made(body);
    expect(new Set(ids).size).toBe(3);
    expect(made(body, { receivedAt: arrival + minutes(1000) })).toEqual(ids);
    const compressed = parse(gzipSync(body), source, { contentEncoding: 'gzip' });
    expect(flatRows(compressed, source).map(({ id }) => id)).toEqual(ids);
  });

  test('differ between bodies with equal events', () => {
    const beat = { event_message: 'beat', timestamp };
    const bodies = [
      JSON.stringify(beat),
      JSON.stringify([beat]),
      JSON.stringify([beat, { timestamp }]),
      JSON.stringify({ batch: [beat] }),
      `${JSON.stringify(beat)}\n{}`,
    ];
    const ids = bodies.map((each) => made(each)[0]);
    expect(new Set(ids).size).toBe(bodies.length);
  });

  test('differ between senders, arrangements and sources of the same body', () => {
    const requests: Partial<EventRequest>[] = [
      {},
      { shape: 'json' },
      { sender: ['key a'] },
      { sender: ['key b'] },
      { sender: ['key a', 'request 1'] },
      { sender: ['key a', 'request 2'] },
    ];
    const ids = requests.map((options) => made(body, options)[0]);
    const request = { format: 'json', source: 'other', receivedAt: arrival, partial: false } as const;
    const other = parseEvents(Buffer.from(body), request, [{ ...source, name: 'other' }], anyTime);
    ids.push(flatRows(other, source)[0]?.id);
    expect(new Set(ids).size).toBe(requests.length + 1);
    expect(made(body, { sender: ['key a', 'request 1'] })[0]).toBe(ids[4]);
  });

  test('do not depend on other events being rejected, nor on settings of the source', () => {
    const some = [{ timestamp, unknown: 1 }, { timestamp }];
    const parsed = parse(some, appSource(), { partial: true });
    expect(parsed.rejectedCount).toBe(1);
    expect(flatRows({ ...parsed, rejected: [] })[0]?.id).toBe(idsOf(some)[1]);
    const renaming = appSource({ unknownFields: 'ignore', rename: [{ from: 'env', to: 'project' }] });
    const event = [{ timestamp, env: 'x' }];
    expect(flatRows(parse(event, renaming), renaming)[0]?.id).toBe(idsOf(event)[0]);
  });

  test('of events without a time change every ten minutes, and rows carry the former one', () => {
    const parsed = (minute: number) =>
      parse([{ x: 1 }, { x: 1 }], source, { receivedAt: base + minutes(minute) });
    const ids = (minute: number) => flatRows(parsed(minute), source).map(({ id }) => id);
    const former = (minute: number) => parsed(minute).sources[0]?.parts[0]?.formerIds?.split('\n');
    expect(ids(9)).toEqual(ids(0));
    expect(ids(10)).not.toEqual(ids(9));
    expect(former(10)).toEqual(ids(9));
    expect(parse([{ timestamp }, { id: 'x', timestamp }]).sources[0]?.parts[0]).not.toHaveProperty(
      'formerIds',
    );
  });
});

test('given ids are kept: texts, and numbers as texts', () => {
  expect(idsOf([{ id: 'a' }, { id: 5 }, { ID: 'c' }])).toEqual(['a', '5', 'c']);
  expect(idsOf([{ id: '' }, { id: null }])).toEqual(idsOf([{ id: '' }, { id: null }]));
  const renaming = appSource({ rename: [{ from: 'uuid', to: 'id' }] });
  expect(flatRows(parse([{ uuid: 'x' }], renaming), renaming)[0]?.id).toBe('x');
});

test('an id that is a number is the same however it is written, beside long numbers and in imports', () => {
  const [long, body] = [
    '12345678901234567890',
    '{"id":7},{"id":7.0},{"id":7e0},{"id":7.5},{"id":9007199254740993}',
  ];
  const idsBeside = (message: string) =>
    flatRows(parse(`[${body},{"id":"z","event_message":"${message}"}]`, source), source).map(({ id }) => id);
  expect(idsBeside('')).toEqual(['7', '7', '7', '7.5', '9007199254740993', 'z']);
  expect(idsBeside(long)).toEqual(idsBeside(''));
  const imported = new RowParser(source);
  for (const [number, note] of ['', long].entries())
    imported.add({ number, text: `{"id":7.0,"timestamp":"2024-01-01T00:00:00Z","event_message":"${note}"}` });
  const [rows] = imported.take();
  expect(rows !== undefined && 'columns' in rows && rows.columns[0]).toBe(`7${valueSeparator}7`);
});

test('rows are those that an import makes of the same rows', () => {
  const metadata = fc.record(
    {
      status: fc.maxSafeInteger(),
      level: fc.string({ unit: 'binary' }),
      tags: fc.array(fc.string(), { maxLength: 3 }),
      headers: fc.array(fc.record({ host: fc.string() }, { requiredKeys: [] }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  const row = fc.record({
    id: fc.string({ minLength: 1 }),
    timestamp: fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString()),
    event_message: fc.option(fc.string()),
    metadata: fc.array(metadata, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
      const imported = new RowParser(source);
      for (const [index, each] of rows.entries())
        imported.add({ number: index + 1, text: JSON.stringify(each) });
      const lines = rows.map((each) => JSON.stringify(each)).join('\n');
      const expected = imported.take();
      expect(parse(rows, source).sources[0]?.parts).toEqual(expected);
      expect(parse(`${lines}\n{}`, source, { partial: true }).sources[0]?.count).toBe(rows.length + 1);
      if (rows.length > 1) expect(parse(lines, source).sources[0]?.parts).toEqual(expected);
    }),
  );
});
