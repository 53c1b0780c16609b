import { type DuckDBConnection, DuckDBInstance, type DuckDBResult, type DuckDBValue } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixed } from '../../../src/engines/duckdb/dialect/constant.ts';
import { computed } from '../../../src/engines/duckdb/dialect/expression.ts';
import { arrayFunctions } from '../../../src/engines/duckdb/functions/arrays.ts';
import { FunctionCall } from '../../../src/engines/duckdb/functions/call/function-call.ts';
import { MemoryGuard, memoryExceeded } from '../../../src/engines/duckdb/guard/memory-guard.ts';
import {
  generateArray,
  joinArrayWidely,
  joinArrayWithNulls,
  reversedArray,
} from '../../../src/engines/duckdb/macros/arrays.ts';
import { toBase64, toHex } from '../../../src/engines/duckdb/macros/encodings.ts';
import { installMacros } from '../../../src/engines/duckdb/macros/install.ts';
import {
  initialCapitals,
  padLeft,
  regexpExtractAll,
  regexpReplace,
  repeat,
  replace,
  reverse,
  split,
} from '../../../src/engines/duckdb/macros/text.ts';
import { readEngineError } from '../../../src/engines/duckdb/run/engine-error.ts';
import { RowReader } from '../../../src/engines/duckdb/run/rows/read-rows.ts';
import type { Row } from '../../../src/sql/values/value.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
  const guard = new MemoryGuard({ maxBytes: () => 4e8, residentBytes: () => 0, collect: () => {} });
  await installMacros(connection, { room: guard });
});
afterAll(() => connection.closeSync());

const outcome = async (sql: string, from: string) =>
  connection.runAndReadAll(`SELECT ${sql} FROM ${from}`).then(
    (reader) => reader.getRowsJson()[0]?.[0],
    (error) => readEngineError(error).message,
  );

const many = 'range(400) t(i)';
const few = 'range(20) t(i)';
const large: readonly [string, string][] = [
  ['REPEAT', `max(length(${repeat.call(["'x'", '900000 + i'])}))`],
  ['LPAD', `max(length(${padLeft.call(["'x'", '900000 + i', "'ab'"])}))`],
  ['REPLACE', `max(length(${replace.call(["repeat('a', 900 + i % 7)", "'a'", "repeat('b', 900)"])}))`],
  [
    'REGEXP_REPLACE',
    `max(length(${regexpReplace.call(["repeat('a', 900 + i % 7)", "'a'", "repeat('b', 900)"])}))`,
  ],
  ['SPLIT', `max(len(${split.call(["repeat(',', 30000 + i)", "','"])}))`],
  ['REGEXP_EXTRACT_ALL', `max(len(${regexpExtractAll.call(["repeat('ab', 15000 + i)", "'.'", '0'])}))`],
  ['REVERSE', `max(length(${reverse.call(["repeat('ä', 25000 + i)"])}))`],
  ['INITCAP', `max(length(${initialCapitals.call(["repeat('a b ', 10000 + i)"])}))`],
  ['ARRAY_TO_STRING', `max(length(${joinArrayWidely.call(['range(1000 + i)', "repeat(',', 500)"])}))`],
  [
    'ARRAY_TO_STRING with NULLs',
    `max(length(${joinArrayWithNulls.call(['list_resize(CAST([] AS VARCHAR[]), 300 + i)', "','", `'${'n'.repeat(2_000)}'`])}))`,
  ],
  ['GENERATE_ARRAY', `max(len(${generateArray.call(['1::BIGINT', '200000 + i', '1::BIGINT'])}))`],
];

test.each(large)(
  '%s of many rows is refused before it takes all memory, of some it is made',
  async (_name, sql) => {
    expect(await outcome(sql, many)).toBe(memoryExceeded);
    expect(Number(await outcome(sql, few))).toBeGreaterThan(20_000);
  },
);

test('of long texts with few matches, all are extracted', async () => {
  const text = "repeat('x', 20000 + i) || 'https://example.com/' || i || repeat('y', 20000)";
  const sql = regexpExtractAll.call([`(${text})`, "'https://[a-z.]+/([0-9]+)'", '1']);
  expect(await outcome(`sum(len(${sql}))::BIGINT`, many)).toBe('400');
  expect(await outcome(`max(${sql}[1]::BIGINT)`, many)).toBe('399');
});

function concatOf(...lists: readonly string[]): string {
  const type = { kind: 'ARRAY', element: { kind: 'INT64' } } as const;
  const args = lists.map((sql) => computed(sql, type, 1));
  const sql = arrayFunctions.array_concat?.emit(
    new FunctionCall('ARRAY_CONCAT', args, type, { safe: false, now: fixed(0n) }),
  );
  return String(sql);
}

test('of values that have some kilobytes each, all that are made at once are claimed', async () => {
  const claimed: number[] = [];
  const other = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await installMacros(other, { room: { hasRoom: (bytes) => claimed.push(bytes) > 0, enforce: () => {} } });
  const sum = async (sql: string) => {
    claimed.length = 0;
    await other.run(`SELECT ${sql} FROM range(1000) t(i)`);
    return claimed.reduce((a, b) => a + b, 0);
  };
  expect(await sum(repeat.call(["'x'", '2000 + 0 * i']))).toBe(2_000_000);
  expect(await sum(repeat.call(["'x'", '1000 + 0 * i']))).toBe(0);
  const list = 'range(100 + 0 * i)';
  expect(await sum(concatOf(list, list))).toBe(3_200_000);
  expect(await sum(reversedArray.call([list]))).toBe(1_600_000);
  const bytes = "encode(repeat('x', 1000 + 0 * i))";
  expect(await sum(toHex.call([bytes]))).toBe(4_000_000);
  expect(await sum(toBase64.call([bytes]))).toBe(2_000_000);
  const none = 'CASE WHEN i < 0 THEN i::VARCHAR END';
  const ofNull = [reverse, initialCapitals].map((macro) => macro.call([none]));
  await sum(
    [...ofNull, regexpExtractAll.call([none, "'a'", '0']), regexpReplace.call([none, "'a'", "'b'"])].join(),
  );
  expect(claimed).toEqual([]);
  other.closeSync();
});

/** Reads a result of one column into `rows`. */
async function readAll(result: DuckDBResult, rows: Row[]): Promise<void> {
  const reader = new RowReader();
  const add = (row: readonly DuckDBValue[]) => {
    rows.push(row as Row);
    return row as Row;
  };
  for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk())
    await reader.take(chunk, [0], add);
}

test('a result is read no further than an answer may be long', async () => {
  const rows: Row[] = [];
  const result = await connection.stream(`SELECT repeat('x', 30000) FROM range(10000)`);
  await expect(readAll(result, rows)).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    message: expect.stringContaining('larger than 100,000,000'),
  });
  expect(rows.length).toBeLessThan(3_400);
});

test('a row of too many values is refused', async () => {
  const rows: Row[] = [];
  const result = await connection.stream('SELECT CAST(NULL AS BIGINT[]) UNION ALL SELECT range(250001)');
  await expect(readAll(result, rows)).rejects.toThrow('more than 250,000 values');
  expect(rows).toEqual([[null]]);
});
