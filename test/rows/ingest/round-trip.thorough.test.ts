import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeJson } from '../../../src/engines/duckdb/udf/json/json-value.ts';
import { parseJson } from '../../../src/engines/duckdb/udf/json/parser.ts';
import { receiveRows } from '../../../src/rows/ingest/receive.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { dateText, datetimeTextOfMicros, timeTextOfMicros } from '../../../src/sql/values/value-text.ts';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REPEATED';
  readonly fields?: readonly Field[];
}

/** A value as a row writes it in JSON, and as it is read back. */
interface Sample {
  readonly json: string;
  readonly value: Value;
}

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\r', '\0', "'", '\u2028', ',', '{'),
    fc.string({ unit: 'binary' }),
  ),
});
const sample = (json: string, value: Value): Sample => ({ json, value });
const quoted = (value: string) => sample(JSON.stringify(value), value);

const minMicros = -62_135_596_800_000_000n;
const maxMicros = 253_402_300_799_999_999n;
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const micros = fc.bigInt({ min: minMicros, max: maxMicros });

/** Text of a NUMERIC's units of 10^-9, as written and in the form of `Value`. */
function numeric(units: bigint): Sample {
  const digits = String(units < 0n ? -units : units).padStart(10, '0');
  const written = `${units < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
  return sample(written, written.replace(/\.?0+$/, ''));
}

const scalars: Readonly<Record<string, fc.Arbitrary<Sample>>> = {
  BOOLEAN: fc.boolean().map((value) => sample(String(value), value)),
  INTEGER: fc.tuple(int64, fc.boolean()).map(([n, string]) => sample(string ? `"${n}"` : String(n), n)),
  FLOAT: fc.double().map((n) => {
    if (!Number.isFinite(n)) return sample(`"${n}"`, n);
    return sample(Object.is(n, -0) ? '-0.0' : String(n), n);
  }),
  NUMERIC: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }).map(numeric),
  STRING: text.map(quoted),
  BYTES: fc.uint8Array().map((bytes) => quoted(Buffer.from(bytes).toString('base64'))),
  DATE: fc.integer({ min: -719_162, max: 2_932_896 }).map((days) => quoted(dateText(days))),
  TIME: fc.bigInt({ min: 0n, max: 86_399_999_999n }).map((time) => quoted(timeTextOfMicros(time))),
  DATETIME: micros.map((time) => quoted(datetimeTextOfMicros(time))),
  TIMESTAMP: fc
    .tuple(micros, fc.constantFrom('', 'Z', ' UTC', '+00:00'), fc.boolean())
    .map(([time, zone, number]) =>
      number ? sample(String(time), time) : sample(`"${datetimeTextOfMicros(time)}${zone}"`, time),
    ),
  JSON: fc
    .json({ maxDepth: 3 })
    .filter((json) => json !== 'null')
    .map((json) => sample(json, writeJson(parseJson(json, 'round')))),
};

const { fields } = fc.letrec<{ fields: Field[] }>((tie) => ({
  fields: fc.array(
    fc.record({
      name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_ ]{0,5}$/),
      mode: fc.constantFrom('NULLABLE' as const, 'REPEATED' as const),
      type: fc.constantFrom(...Object.keys(scalars), 'RECORD'),
      fields: fc.option(tie('fields'), { nil: [], depthSize: 'small' }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
}));

/** Fields with names of their own, and records with something in them. */
function tidy(generated: readonly Field[], taken: readonly string[]): Field[] {
  const names = new Set(taken);
  return generated.flatMap(({ name, type, mode, fields: inner = [] }) => {
    if (names.has(name.toLowerCase())) return [];
    names.add(name.toLowerCase());
    const own = tidy(inner, []);
    if (type !== 'RECORD') return [{ name, type, mode }];
    return own.length === 0 ? [{ name, type: 'STRING', mode }] : [{ name, type, mode, fields: own }];
  });
}

function memberOf(field: Field): fc.Arbitrary<Sample | undefined> {
  const one =
    field.fields === undefined
      ? (scalars[field.type] ?? fc.constant(sample('0', 0n)))
      : recordOf(field.fields);
  if (field.mode === 'NULLABLE') return fc.option(one, { nil: undefined });
  return fc.option(
    fc.array(one, { maxLength: 3 }).map((items) =>
      sample(
        `[${items.map(({ json }) => json)}]`,
        items.map(({ value }) => value),
      ),
    ),
    { nil: undefined },
  );
}

/** A record with its members in any order; absent ones are left out or written as null. */
function recordOf(members: readonly Field[]): fc.Arbitrary<Sample> {
  const samples = fc.tuple(...members.map(memberOf));
  const order = fc.shuffledSubarray(
    members.map((_, index) => index),
    { minLength: members.length },
  );
  return fc.tuple(samples, order, fc.boolean()).map(([values, positions, writeNulls]) => {
    const written = positions.flatMap((index) => {
      const value = values[index];
      if (value === undefined && !writeNulls) return [];
      return [`${JSON.stringify(members[index]?.name)}:${value?.json ?? 'null'}`];
    });
    const absent = (index: number) => (members[index]?.mode === 'REPEATED' ? [] : null);
    return sample(
      `{${written}}`,
      values.map((value, index) => value?.value ?? absent(index)),
    );
  });
}

const tables = fields
  .map((generated) => tidy(generated, ['id', 'timestamp']))
  .chain((columns) =>
    fc.tuple(fc.constant(columns), fc.array(recordOf(columns), { minLength: 1, maxLength: 8 })),
  );

test('any valid row is read back as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async ([columns, rows]) => {
      const source = makeSource('s', ...columns);
      const store = await openTestStore(await temporaryFolder(), source);
      const lines = rows.map(
        ({ json }, index) =>
          `{"id":"${index}","timestamp":${index}${json === '{}' ? '' : `,${json.slice(1, -1)}`}}\n`,
      );
      async function* body() {
        yield Buffer.from(lines.join(''));
      }
      const { signal } = new AbortController();
      const result = await receiveRows(store, 's', body(), { skipBadRows: false, signal });
      expect(result.imported).toBe(rows.length);
      const expected = rows.map(({ value }, index) => [
        String(index),
        BigInt(index),
        ...(Array.isArray(value) ? value : []),
      ]);
      expect(await readRows(store, source, 'ORDER BY "timestamp"')).toEqual(expected);
      await store.close();
    }),
    { numRuns: 40 },
  );
});
