import { expect, test } from 'vitest';
import { rangesOfTimes } from '../../../src/engines/duckdb/store/insert/time-ranges.ts';
import { parseEvents } from '../../../src/rows/ingest/events/parse-events.ts';
import { ChunkParser } from '../../../src/rows/ingest/parse/chunk-parser.ts';
import { growthOf, maxGrowth } from '../../support/growth.ts';
import { anyTime, appSource, request } from './events/support.ts';

const day = 86_400_000;
const scattered = (i: number) => ((i * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
const time = (i: number) => new Date(1_700_000_000_000 - i * 50).toISOString();
const nested = (levels: number, row: number): object =>
  levels === 0 ? { row } : { [`l${levels}`]: nested(levels - 1, row), z: levels };

/** Events of bodies, by what is hard about them. */
const events: Readonly<Record<string, (row: number) => object>> = {
  'times in no order': (i) => ({
    id: String(i),
    timestamp: new Date(1_700_000_000_000 - scattered(i) * 60 * day),
  }),
  'one id': (i) => ({ id: 'one', timestamp: time(i) }),
  'neither ids nor times': (i) => ({ message: `row ${i}` }),
  'lists of records': (i) => ({ id: String(i), metadata: [{ status: 1 }, { status: 2, tags: ['a', 'b'] }] }),
  'new fields, different in each event': (i) => ({ id: String(i), [`f${i % 180}`]: i, [`g${i}`]: i }),
  'deep values': (i) => ({ id: String(i), deep: nested(10, i) }),
  'many elements': (i) => ({
    id: String(i),
    metadata: { tags: Array.from({ length: 100 }, (_, j) => `${i}-${j}`) },
  }),
  'long texts with escapes': (i) => ({ id: String(i), message: `${i} "\\ \u0001 żółć`.repeat(30) }),
  'values of wrong types': (i) => ({ id: String(i), timestamp: 'never', metadata: { status: `x${i}` } }),
};

const sources = (['ignore', 'add', 'json'] as const).map((unknownFields) => appSource({ unknownFields }));
const bodies = Object.keys(events).flatMap((what) =>
  sources.map((source) => [source.unknownFields, what, source] as const),
);

test.each(bodies)(
  'unknown fields: %s. Parsing a body takes time by its size: %s',
  async (_, what, source) => {
    const event = events[what] ?? (() => ({}));
    const growth = await growthOf({
      make: (size) =>
        Buffer.from(Array.from({ length: size }, (_, i) => JSON.stringify(event(i))).join('\n')),
      run: (body) =>
        parseEvents(body, { ...request, partial: true }, [source], { ...anyTime, maxRejected: 1e6 }),
      size: 500,
      maxSize: 8_000,
    });
    expect(growth).toBeLessThanOrEqual(maxGrowth);
  },
);

test.each([
  [
    'one event of many members',
    (size: number) => `{${Array.from({ length: size }, (_, i) => `"f${i}":1`).join()}}`,
  ],
  ['one event with one member again and again', (size: number) => `{${'"a":1,'.repeat(size)}"b":2}`],
  ['one event of many elements', (size: number) => `{"a":[${'1,'.repeat(size)}1]}`],
  ['one long text', (size: number) => JSON.stringify({ message: 'x"'.repeat(size * 5) })],
  ['an unclosed array', (size: number) => '['.repeat(size)],
  ['empty lines', (size: number) => `{}${'\n'.repeat(size)}{}`],
])('%s takes time by its size', async (_, body) => {
  for (const source of sources) {
    const growth = await growthOf({
      make: (size) => Buffer.from(body(size)),
      run(bytes) {
        try {
          parseEvents(bytes, { ...request, partial: true }, [source], anyTime);
        } catch {
          // A body may be refused, in time.
        }
      },
      size: 4_000,
      maxSize: 240_000,
    });
    expect(growth, source.unknownFields).toBeLessThanOrEqual(maxGrowth);
  }
});

test.each(Object.keys(events))('an upload takes time by its size: %s', async (what) => {
  const event = events[what] ?? (() => ({}));
  const source = appSource({ unknownFields: 'ignore' });
  const growth = await growthOf({
    make: (size) =>
      Buffer.from(
        `${Array.from({ length: size }, (_, i) => JSON.stringify({ timestamp: time(i), ...event(i) })).join('\n')}\n`,
      ),
    run(bytes) {
      const parser = new ChunkParser({ source, lineNumbers: false });
      parser.add(bytes);
      return parser.take();
    },
    size: 500,
    maxSize: 8_000,
  });
  expect(growth).toBeLessThanOrEqual(maxGrowth);
});

test('the ranges of scattered times are found in time by their number', async () => {
  const growth = await growthOf({
    make: (size) =>
      BigInt64Array.from({ length: size }, (_, i) => BigInt(Math.floor(scattered(i) * 60 * day)) * 1000n),
    run: (times) => rangesOfTimes(times, false),
    size: 10_000,
    maxSize: 400_000,
  });
  expect(growth).toBeLessThanOrEqual(maxGrowth);
});
