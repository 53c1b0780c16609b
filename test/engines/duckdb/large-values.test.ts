import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEngineError } from '../../../src/engines/duckdb/engine-error.ts';
import { generateArray } from '../../../src/engines/duckdb/macros/arrays.ts';
import { installMacros } from '../../../src/engines/duckdb/macros/install.ts';
import { padLeft, regexpReplace, repeat, replace } from '../../../src/engines/duckdb/macros/text.ts';
import { MemoryGuard, memoryExceeded, noMemoryGuard } from '../../../src/engines/duckdb/memory-guard.ts';
import { RowReader } from '../../../src/engines/duckdb/read-rows.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
  const guard = new MemoryGuard({ mostBytes: () => 4e9, residentBytes: () => 0, collect: () => {} });
  await installMacros(connection, undefined, guard);
});
afterAll(() => connection.closeSync());

const outcome = async (sql: string, from: string) =>
  connection.runAndReadAll(`SELECT ${sql} FROM ${from}`).then(
    (reader) => reader.getRowsJson()[0]?.[0],
    (error) => readEngineError(error).message,
  );

const many = 'range(4000) t(i)';
const few = 'range(30) t(i)';
const large: readonly [string, string][] = [
  ['REPEAT', `max(length(${repeat.call(["'x'", '900000 + i'])}))`],
  ['LPAD', `max(length(${padLeft.call(["'x'", '900000 + i', "'ab'"])}))`],
  ['REPLACE', `max(length(${replace.call(["repeat('a', 900 + i % 7)", "'a'", "repeat('b', 900)"])}))`],
  [
    'REGEXP_REPLACE',
    `max(length(${regexpReplace.call(["repeat('a', 900 + i % 7)", "'a'", "repeat('b', 900)"])}))`,
  ],
  ['GENERATE_ARRAY', `max(len(${generateArray.call(['1::BIGINT', '200000 + i', '1::BIGINT'])}))`],
];

test.each(large)(
  '%s of thousands of rows is refused before it takes gigabytes, of some it is made',
  async (_name, sql) => {
    expect(await outcome(sql, many)).toBe(memoryExceeded);
    expect(Number(await outcome(sql, few))).toBeGreaterThan(200_000);
  },
);

async function readAll(result: DuckDBResult, reader: RowReader): Promise<void> {
  for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk())
    await reader.take(chunk);
}

test('a result is read no further than an answer may be long', async () => {
  const reader = new RowReader((row) => row as string[], noMemoryGuard());
  const result = await connection.stream(`SELECT repeat('x', 30000) FROM range(10000)`);
  await expect(readAll(result, reader)).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    message: expect.stringContaining('larger than 100,000,000'),
  });
  expect(reader.rows.length).toBeLessThan(3_400);
});

test('a row of too many values is refused', async () => {
  const reader = new RowReader((row) => row as never, noMemoryGuard());
  const result = await connection.stream('SELECT CAST(NULL AS BIGINT[]) UNION ALL SELECT range(250001)');
  await expect(readAll(result, reader)).rejects.toThrow('more than 250,000 values');
  expect(reader.rows).toEqual([[null]]);
});
