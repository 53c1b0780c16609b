import { describe, expect, test } from 'vitest';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { parseSource } from '../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../src/definitions/sources/source.ts';
import type { TableField } from '../../../src/definitions/sources/table-field.ts';
import type { RowStore } from '../../../src/rows/ingest/row-store.ts';
import { exampleValues } from '../../../src/tools/made-up-rows/from-schema/example-values.ts';
import { SchemaFiller, schemaRows } from '../../../src/tools/made-up-rows/from-schema/schema-filler.ts';
import { MadeUpStore } from '../../../src/tools/made-up-rows/making/made-up-store.ts';
import { Random, seededRandom } from '../../../src/tools/made-up-rows/making/random.ts';
import { rowEncoder } from '../../support/row-encoder.ts';

const hour = 3_600_000_000;
const now = Date.UTC(2026, 4, 4, 12) * 1000;
const noExamples = exampleValues([]);

type Field = Partial<TableField> & { readonly name: string };

function sourceOf(fields: readonly Field[], name = 'orders'): Source {
  const own = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
  ];
  const text = JSON.stringify([
    ...own,
    ...fields.map((field) => ({ type: 'STRING', mode: 'REQUIRED', ...field })),
  ]);
  const parsed = parseSource(name, `${name}.json`, text);
  if (!('columns' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed;
}

function rowsOf(source: Source, examples = noExamples, count = 200) {
  const instants = Array.from({ length: count }, (_, index) => now + index);
  return [...schemaRows(source, examples)(instants, new Random(seededRandom(1)))].map(({ row }) => row);
}

function valuesOf(field: Field, examples = noExamples) {
  return rowsOf(sourceOf([field]), examples).map((row) => row[field.name]);
}

/** Sources with every type that the embedded store has, in every mode. */
const allTypes = sourceOf(
  [
    'STRING',
    'INT64',
    'FLOAT64',
    'NUMERIC',
    'BOOL',
    'BYTES',
    'DATE',
    'DATETIME',
    'TIME',
    'TIMESTAMP',
    'JSON',
  ].flatMap((type) =>
    ['NULLABLE', 'REQUIRED', 'REPEATED'].map((mode) => ({
      name: `${type}_${mode}`.toLowerCase(),
      type,
      mode: mode as TableField['mode'],
    })),
  ),
);

describe('rows made up from a schema', () => {
  test('fit it: every type in every mode, and the included sources', async () => {
    const { sources } = await loadSources('schema/sources');
    for (const source of [allTypes, ...sources]) {
      const encode = rowEncoder(source);
      for (const row of rowsOf(source, noExamples, 50)) {
        expect(() => encode(JSON.stringify(row)), source.name).not.toThrow();
      }
    }
  });

  test('have ids of their own, and the given times', () => {
    const rows = rowsOf(allTypes);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows[1]?.timestamp).toBe('2026-05-04T12:00:00.000001Z');
  });

  test('are the same for the same randomness', () => {
    expect(rowsOf(allTypes)).toEqual(rowsOf(allTypes));
  });

  test.each([
    [{ name: 'method' }, /^(?:GET|POST|PUT|DELETE|PATCH)$/],
    [{ name: 'logLevel' }, /^(?:info|warn|error|debug)$/],
    [{ name: 'client_ip' }, /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/],
    [{ name: 'email' }, /^[a-z]+@example\.com$/],
    [{ name: 'page_url' }, /^https:\/\/www\.example\.com\//],
    [{ name: 'path' }, /^\//],
    [{ name: 'request_id' }, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/],
    [{ name: 'shop' }, /^shop-[1-5]$/],
    [{ name: 'user_id' }, /^user-\d+$/],
    [{ name: 'status', type: 'INT64' }, /^[2-5]\d\d$/],
    [{ name: 'total', type: 'NUMERIC' }, /^\d+\.\d\d$/],
    [
      { name: 'size', description: 'One of: small, `large` or "very large".' },
      /^(?:small|large|very large)$/,
    ],
  ] satisfies [Field, RegExp][])('look like their name: %o', (field, pattern) => {
    const values = valuesOf(field);
    for (const value of values) expect(String(value)).toMatch(pattern);
    expect(new Set(values).size).toBeGreaterThan(1);
  });

  test('lack values only where they may, and seldom', () => {
    const nullable = valuesOf({ name: 'shop', mode: 'NULLABLE' });
    const missing = nullable.filter((value) => value === null).length;
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(40);
    expect(valuesOf({ name: 'shop' })).not.toContain(null);
  });

  test('have lists in repeated columns, and one record where the name is singular', () => {
    const fields = [{ name: 'sku', type: 'STRING', mode: 'REQUIRED' as const }];
    const lengths = (name: string) =>
      new Set(
        valuesOf({ name, type: 'RECORD', mode: 'REPEATED', fields }).map((value) => (value as []).length),
      );
    expect(lengths('metadata')).toEqual(new Set([1]));
    expect(lengths('items')).toEqual(new Set([1, 2, 3]));
  });
});

describe('examples of parameters', () => {
  const parameter = (name: string, kind: 'STRING' | 'INT64', rest: object) =>
    exampleValues([{ parameters: [{ name, type: { kind }, required: true, ...rest }] }]);

  test('occur in columns with the name and the type of the parameter', () => {
    const examples = parameter('shop', 'STRING', { example: 'north' });
    const share = valuesOf({ name: 'Shop' }, examples).filter((value) => value === 'north').length / 200;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.8);
    expect(valuesOf({ name: 'shop', type: 'INT64' }, examples)).not.toContain('north');
    expect(valuesOf({ name: 'store' }, examples)).not.toContain('north');
  });

  test('occur in fields of records', () => {
    const examples = parameter('sku', 'STRING', { example: 'x-1' });
    const fields = [{ name: 'sku', type: 'STRING', mode: 'NULLABLE' as const }];
    const rows = valuesOf({ name: 'item', type: 'RECORD', fields }, examples);
    expect(rows).toContainEqual({ sku: 'x-1' });
  });

  test('are defaults and allowed values, too', () => {
    expect(valuesOf({ name: 'size' }, parameter('size', 'STRING', { values: ['s', 'm'] }))).toContain('m');
    expect(valuesOf({ name: 'n', type: 'INT64' }, parameter('n', 'INT64', { default: '7' }))).toContain('7');
  });
});

test('examples that JSON has no number for are left out', () => {
  const type = { kind: 'FLOAT64' } as const;
  const examples = exampleValues([
    { parameters: [{ name: 'x', type, required: true, example: ['nan', '2.5'] }] },
  ]);
  expect(examples.of('x', type)).toEqual([2.5]);
});

describe('a filled store', () => {
  const schema = {
    sources: [sourceOf([{ name: 'shop' }]), sourceOf([{ name: 'path' }], 'visits')],
    endpoints: [],
  };

  function filledStore({ rowsPerSource = 100, seed = 1, days = 7 } = {}) {
    const added = new Map<string, { timestamp: string }[]>();
    const refused = new Set<string>();
    const rows = {
      async receive(source: string, body: AsyncIterable<Uint8Array>) {
        if (refused.delete(source)) throw new Error('the store has no such source yet');
        let text = '';
        for await (const piece of body) text += Buffer.from(piece).toString();
        const lines = text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
        added.set(source, [...(added.get(source) ?? []), ...lines]);
        return { imported: lines.length };
      },
    } as unknown as RowStore;
    const filler = new SchemaFiller(new MadeUpStore(rows, () => undefined), { rowsPerSource, seed, days });
    return { filler, added, refused };
  }

  test('has so many rows of each source, half of them in the last hour, and none of the future', async () => {
    const { filler, added } = filledStore();
    expect(await filler.fill(schema, BigInt(now))).toBe(200);
    for (const rows of added.values()) {
      const times = rows.map(({ timestamp }) => Date.parse(timestamp) * 1000);
      expect(times).toHaveLength(100);
      expect(times.filter((time) => time >= now - hour)).toHaveLength(50);
      expect(Math.min(...times)).toBeGreaterThan(now - 7 * 24 * hour);
      expect(Math.max(...times)).toBeLessThanOrEqual(now);
    }
  });

  test('depends on the seed, and not on other sources', async () => {
    const [one, same, other, alone] = [filledStore(), filledStore(), filledStore({ seed: 2 }), filledStore()];
    for (const { filler } of [one, same, other]) await filler.fill(schema, BigInt(now));
    await alone.filler.fill({ ...schema, sources: schema.sources.slice(1) }, BigInt(now));
    expect(same.added).toEqual(one.added);
    expect(alone.added.get('visits')).toEqual(one.added.get('visits'));
    expect(other.added).not.toEqual(one.added);
  });

  test('gets about a row per second of each source, and the first rows of a source that is added', async () => {
    const { filler, added } = filledStore();
    await filler.fill({ ...schema, sources: schema.sources.slice(0, 1) }, BigInt(now));
    const period = { from: BigInt(now), to: BigInt(now + 60_000_000) };
    await filler.add(schema, period);
    expect(added.get('orders')?.length).toBeGreaterThanOrEqual(160);
    expect(added.get('orders')?.length).toBeLessThanOrEqual(161);
    expect(added.get('visits')).toHaveLength(100);
  });

  test('gets the first rows of a source that the store refused before', async () => {
    const { filler, added, refused } = filledStore();
    refused.add('visits');
    await expect(filler.fill(schema, BigInt(now))).rejects.toThrow('no such source');
    await filler.add(schema, { from: BigInt(now), to: BigInt(now + 1_000_000) });
    expect(added.get('visits')).toHaveLength(100);
    expect(added.get('orders')?.length).toBeLessThan(110);
  });

  test('has no rows that would be deleted soon', async () => {
    const { filler, added } = filledStore();
    const [source] = schema.sources;
    if (source === undefined) throw new Error('no source');
    await filler.fill({ ...schema, sources: [{ ...source, retentionDays: 1 }] }, BigInt(now));
    const times = added.get('orders')?.map(({ timestamp }) => Date.parse(timestamp) * 1000) ?? [];
    expect(Math.min(...times)).toBeGreaterThan(now - 24 * hour);
  });
});
