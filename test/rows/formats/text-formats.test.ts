import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csv } from '../../../src/rows/formats/csv.ts';
import type { ColumnFormat } from '../../../src/rows/formats/format.ts';
import { ndjson } from '../../../src/rows/formats/ndjson.ts';
import { jsonStyle } from '../../../src/rows/formats/render/json-style.ts';
import { rowRenderer } from '../../../src/rows/formats/render/row-renderer.ts';
import { timestampText, valueRenderer } from '../../../src/rows/formats/render/value-renderer.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import { rowsOfColumns } from '../../../src/sql/columns/rows-of-columns.ts';
import { columnNames } from '../../../src/sql/values/column-names.ts';
import type { Column, SqlType } from '../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../src/sql/values/value.ts';
import { dateText, datetimeTextOfMicros, timeTextOfMicros } from '../../../src/sql/values/value-text.ts';
import { columns as everyColumn, rows as everyRow } from './every-type.ts';
import { decimals, numbers, times } from './value-extremes.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      ...['"', '\\', ',', '\r', '\n', ' ', '\t', '\0', '\u001f', '\u007f', 'x'],
      ...['é', '\u00a0', '\ufeff', '\u2003', '\u2028', '\u3000', '\u1680', '🎉'],
    ),
    maxLength: 12,
  }),
);

/** Values of a type, without NULLs at the top. */
function presentValues(type: SqlType): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'BOOL':
      return fc.boolean();
    case 'INT64':
      return fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constantFrom(...numbers));
    case 'FLOAT64':
      return fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 0, 1e21, 1e-7, 5e-324));
    case 'TIMESTAMP':
      return fc.oneof(fc.bigInt(times), fc.constantFrom(0n, -1n, times.min, times.max));
    case 'DATETIME':
      return fc.bigInt(times).map(datetimeTextOfMicros);
    case 'DATE':
      return fc.integer({ min: -719_162, max: 2_932_896 }).map(dateText);
    case 'TIME':
      return fc.bigInt({ min: 0n, max: 86_399_999_999n }).map(timeTextOfMicros);
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return decimals(type.kind);
    case 'BYTES':
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'JSON':
      return fc.oneof(fc.json(), fc.constantFrom('{\n  "a": 1\r\n\n}', '"é"'));
    case 'INTERVAL':
      return fc.constantFrom('1-2 3 4:5:6.7', '0-0 0 0:0:0', '-1-2 -3 -4:5:6');
    case 'ARRAY':
      return fc.array(presentValues(type.element), { maxLength: 3 });
    case 'STRUCT':
      return fc.tuple(...type.fields.map((field) => valuesOf(field.type)));
    default:
      return texts;
  }
}

/** Values of a type. An array is never NULL, as in results. */
function valuesOf(type: SqlType): fc.Arbitrary<Value> {
  const present = presentValues(type);
  return type.kind === 'ARRAY' ? present : fc.option(present, { nil: null });
}

const kinds = [
  ...(['BOOL', 'INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'STRING', 'BYTES', 'DATE', 'DATETIME'] as const),
  ...(['TIME', 'TIMESTAMP', 'INTERVAL', 'JSON'] as const),
];

const { type: anyType } = fc.letrec<{ type: SqlType; element: SqlType; scalar: SqlType; struct: SqlType }>(
  (tie) => ({
    scalar: fc.constantFrom(...kinds).map((kind) => ({ kind })),
    struct: fc
      .array(fc.record({ name: texts, type: tie('type') }), { minLength: 1, maxLength: 3 })
      .map((fields) => ({ kind: 'STRUCT', fields })),
    element: fc.oneof({ depthSize: 'small' }, tie('scalar'), tie('struct')),
    type: fc.oneof(
      { depthSize: 'small' },
      { arbitrary: tie('scalar'), weight: 4 },
      tie('struct'),
      tie('element').map((element): SqlType => ({ kind: 'ARRAY', element })),
    ),
  }),
);

const results = fc
  .array(fc.record({ name: texts, type: anyType }), { minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc.record({
      columns: fc.constant<readonly Column[]>(columns),
      rows: fc.array(fc.tuple(...columns.map(({ type }) => valuesOf(type))), { maxLength: 12 }),
    }),
  );

const styles = fc
  .record({
    timestamps: fc.constantFrom('micros' as const, 'iso' as const),
    json: fc.constantFrom('text' as const, 'inline' as const),
  })
  .map(jsonStyle);

async function encoded(
  format: ColumnFormat,
  columns: readonly Column[],
  rows: readonly Row[],
  style = jsonStyle({}),
): Promise<string> {
  async function* batches() {
    const half = rows.length >> 1;
    yield columnsOfRows(columns, rows.slice(0, half));
    yield columnsOfRows(columns, rows.slice(half));
  }
  const pieces: Buffer[] = [];
  for await (const piece of format.encode(columns, batches(), style)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

/** A field of CSV, as the format describes it. */
function csvField(type: SqlType, value: Value, whenNull: string): string {
  if (value === null) return whenNull;
  switch (type.kind) {
    case 'TIMESTAMP':
      return timestampText(BigInt(value as bigint));
    case 'FLOAT64':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'ARRAY':
    case 'STRUCT':
      return quoted(valueRenderer(type, jsonStyle({ timestamps: 'iso' }))(value));
    default:
      return quoted(String(value));
  }
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

describe('rows as columns', () => {
  test('are the same rows again', () => {
    fc.assert(
      fc.property(results, ({ columns, rows }) => {
        expect(rowsOfColumns(columns, columnsOfRows(columns, rows))).toEqual(rows);
      }),
    );
    expect(rowsOfColumns(everyColumn, columnsOfRows(everyColumn, everyRow))).toEqual(everyRow);
  });

  test('are written as NDJSON as each row is rendered', async () => {
    await fc.assert(
      fc.asyncProperty(results, styles, async ({ columns, rows }, style) => {
        const expected = rows.map((row) => `${rowRenderer(columns, style)(row)}\n`).join('');
        expect(await encoded(ndjson, columns, rows, style)).toBe(expected);
      }),
    );
  });

  test('are written as CSV field by field', async () => {
    await fc.assert(
      fc.asyncProperty(results, async ({ columns, rows }) => {
        const whenNull = columns.length === 1 ? '""' : '';
        const lines = [
          columnNames(columns).map(quoted),
          ...rows.map((row) =>
            columns.map(({ type }, index) => csvField(type, row[index] ?? null, whenNull)),
          ),
        ];
        expect(await encoded(csv, columns, rows)).toBe(lines.map((line) => `${line.join(',')}\r\n`).join(''));
      }),
    );
  });

  test('may have texts that are longer than the memory for them', async () => {
    const columns: Column[] = [{ name: 't', type: { kind: 'STRING' } }];
    const text = '"ü\n'.repeat(100_000);
    expect(await encoded(ndjson, columns, [[text], ['x']])).toBe(
      `${JSON.stringify({ t: text })}\n{"t":"x"}\n`,
    );
    expect(await encoded(csv, columns, [[text], ['x']])).toBe(`t\r\n${quoted(text)}\r\nx\r\n`);
  });
});
