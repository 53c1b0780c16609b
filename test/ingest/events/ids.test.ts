import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEvents } from '../../../src/ingest/events/parse-events.ts';
import { RowParser } from '../../../src/ingest/row-parser.ts';
import { anyTime, appSource, arrival, flatRows, parse } from './support.ts';

const source = appSource({ unknownFields: 'ignore' });
const timestamp = '2024-02-09T01:02:03Z';
const minutes = (count: number) => BigInt(count) * 60_000_000n;
/** The beginning of ten minutes. */
const base = arrival - (arrival % minutes(10));

const idsOf = (body: unknown, receivedAt = arrival) =>
  flatRows(parse(body, source, { receivedAt }), source).map(({ id }) => id);

/** Any JSON object, with its keys in the order given by `order`. */
const events = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), {
  minLength: 1,
  maxLength: 5,
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

/** Members that make a row, and others that are ignored. */
const withTime = (event: object, i: number) => ({ ...foreign(event), timestamp, n: i });
const foreign = (event: object) =>
  Object.fromEntries(Object.entries(event).map(([key, value]) => [`x${key}`, value]));

describe('made ids', () => {
  test('are the same whenever an event with a time arrives, in whatever form, and whatever the order of its keys', () => {
    fc.assert(
      fc.property(events, fc.boolean(), (some, asLines) => {
        const all = some.map(withTime);
        const ids = idsOf(all);
        expect(new Set(ids).size).toBe(all.length);
        const again = asLines
          ? all.map((event) => JSON.stringify(reversed(event))).join('\n')
          : reversed(all);
        expect(idsOf(again, arrival + minutes(1000))).toEqual(ids);
        expect(idsOf([all, all].flat()).slice(0, all.length)).toEqual(ids);
      }),
    );
  });

  test('differ for any other content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [first, second] = [a, b].map((x) => idsOf([{ timestamp, x }])[0]);
        // JSON has no negative zero.
        const isSame = JSON.stringify(reversed(sortedDeep(a))) === JSON.stringify(reversed(sortedDeep(b)));
        expect(first === second).toBe(isSame);
      }),
    );
    const others: unknown[] = [
      {},
      { x: null },
      { x: [] },
      { x: {} },
      { x: '' },
      { x: '1' },
      { x: 1 },
      { x: [1] },
      { x: [[1]] },
    ];
    others.push(
      { x: { a: 1, b: 2 } },
      { x: { a: '1b' } },
      { x: true },
      { x: 't' },
      { y: 1 },
      { x: [1, 1] },
      { x: [11] },
    );
    expect(new Set(idsOf(others.map((other) => Object.assign({ timestamp }, other)))).size).toBe(
      others.length,
    );
  });

  test('differ for equal events of one body, and are the same when it is sent again', () => {
    const ids = idsOf([{ timestamp }, { timestamp }, { timestamp }]);
    expect(new Set(ids).size).toBe(3);
    expect(idsOf([{ timestamp }, { timestamp }, { timestamp }])).toEqual(ids);
    expect(idsOf([{ timestamp }, { timestamp, project: 5 }, { timestamp }].slice(0, 1))).toEqual(
      ids.slice(0, 1),
    );
  });

  test('do not depend on how numbers are written, nor on whether their digits matter', () => {
    const [plain] = idsOf('[{"timestamp":1700000000,"x":[1,0.5,1000]}]');
    expect(idsOf('[{"timestamp":1700000000.0,"x":[1.0,5e-1,1e3]}]')).toEqual([plain]);
    const long = '"long":12345678901234567890';
    const [first, second] = [
      `{"timestamp":1700000000,"x":1.50,${long}}`,
      `{"timestamp":17e8,"x":1.5,${long}}`,
    ];
    expect(idsOf(`[${first}]`)).toEqual(idsOf(`[${second.replace('17e8', '1700000000')}]`));
    expect(idsOf(`[${first}]`)).not.toEqual(idsOf(`[${first.replace('890}', '891}')}]`));
  });

  test('differ between sources', () => {
    const request = { format: 'json', source: 'other', receivedAt: arrival, partial: false } as const;
    const sources = [{ ...source, name: 'other' }];
    const other = parseEvents(Buffer.from(JSON.stringify({ timestamp })), request, sources, anyTime);
    expect(flatRows(other, source)[0]?.id).not.toBe(idsOf({ timestamp })[0]);
  });

  test('of events without a time change every ten minutes, and rows carry the former one', () => {
    const parsed = (minute: number) =>
      parse([{ x: 1 }, { x: 1 }], source, { receivedAt: base + minutes(minute) });
    const ids = (minute: number) => flatRows(parsed(minute), source).map(({ id }) => id);
    const former = (minute: number) => [...(parsed(minute).sources[0]?.formerIds.values() ?? [])];
    expect(ids(9)).toEqual(ids(0));
    expect(ids(10)).not.toEqual(ids(9));
    expect(former(10)).toEqual(ids(9));
    expect([...(parsed(10).sources[0]?.formerIds.keys() ?? [])]).toEqual(ids(10));
    expect(parse([{ timestamp }, { id: 'x' }]).sources[0]?.formerIds).toEqual(new Map());
  });

  test('do not depend on settings that rename fields', () => {
    const renaming = appSource({ unknownFields: 'ignore', rename: [{ from: 'env', to: 'project' }] });
    const event = [{ timestamp, env: 'x' }];
    expect(flatRows(parse(event, renaming), renaming)[0]?.id).toBe(idsOf(event)[0]);
  });
});

test('given ids are kept: texts, and numbers as texts', () => {
  expect(idsOf([{ id: 'a' }, { id: 5 }, { ID: 'c' }])).toEqual(['a', '5', 'c']);
  expect(idsOf([{ id: '' }, { id: null }])).toEqual(idsOf([{ id: '' }, { id: null }]));
  const renaming = appSource({ rename: [{ from: 'uuid', to: 'id' }] });
  expect(flatRows(parse([{ uuid: 'x' }], renaming), renaming)[0]?.id).toBe('x');
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
      expect(parse(rows, source).sources[0]?.rows).toEqual(expected);
      expect(parse(`${lines}\n{}`, source, { partial: true }).sources[0]?.count).toBe(rows.length + 1);
      if (rows.length > 1) expect(parse(lines, source).sources[0]?.rows).toEqual(expected);
    }),
  );
});

function sortedDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, sortedDeep(member)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
