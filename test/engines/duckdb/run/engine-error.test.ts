import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { memoryExceeded } from '../../../../src/engines/duckdb/guard/memory-guard.ts';
import { raise } from '../../../../src/engines/duckdb/macros/macro.ts';
import { type EngineError, readEngineError } from '../../../../src/engines/duckdb/run/engine-error.ts';

async function failure(sql: string): Promise<EngineError> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    await connection.runAndReadAll(sql);
  } catch (error) {
    return readEngineError(error);
  }
  throw new Error(`No failure: ${sql}`);
}

describe('an error of the engine', () => {
  test('that the SQL raises is given in its own words', async () => {
    const message = "Bad int64 value: it's 'x'\n:";
    expect(await failure(`SELECT ${raise(`'${message.replaceAll("'", "''")}'`, 'TIMESTAMP')}`)).toEqual({
      message,
      kind: 'query',
    });
  });

  test.each(['BQERR:', 'BQNOW:'])('that quotes a value like the mark %s is not mistaken', async (mark) => {
    const message = `Bad int64 value: ${mark}x`;
    expect(await failure(`SELECT ${raise(`'${message}'`, 'BIGINT')}`)).toEqual({ message, kind: 'query' });
    expect(await failure(`SELECT regexp_matches('a', '${mark}(')`)).toEqual({
      message: `Cannot parse regular expression: missing ): ${mark}(`,
      kind: 'regexp',
    });
  });

  test.each(['(', '[', 'a**', '\\', '(?P<n', '*', 'x{2000}', '(?!a)', ')', '\\p{Nope}'])(
    'for the regular expression %s says that it is one',
    async (pattern) => {
      expect((await failure(`SELECT regexp_matches('a', '${pattern}')`)).kind).toBe('regexp');
    },
  );

  test.each([
    ["CAST('2025-02-30 01:00:00' AS TIMESTAMP)", "Invalid timestamp: '2025-02-30 01:00:00'"],
    ["CAST('2025-02-30' AS DATE)", "Invalid date: '2025-02-30'"],
    ["CAST('25:00:00' AS TIME)", "Invalid time: '25:00:00'"],
  ])('for %s names the value', async (sql, message) => {
    expect(await failure(`SELECT ${sql}`)).toEqual({ message, kind: 'query' });
  });

  test('for want of memory says that it is of the moment', async () => {
    const sql =
      "SET memory_limit = '20MB'; SET threads = 1; SELECT count(DISTINCT hash(i)) FROM range(9000000) r(i)";
    expect(await failure(sql)).toEqual({ message: memoryExceeded, kind: 'transient' });
  });

  test('for an overflow names the operands', async () => {
    expect(await failure('SELECT 9223372036854775807 + 1::BIGINT')).toEqual({
      message: 'int64 overflow: 9223372036854775807 + 1',
      kind: 'query',
    });
  });

  test.each([
    ['99999999999999999999999999999 + 1::DECIMAL(38, 9)', '99999999999999999999999999999 + 1'],
    ['-99999999999999999999999999999 - 1::DECIMAL(38, 9)', '-99999999999999999999999999999 - 1'],
  ])('for an overflow of decimals names the operands: %s', async (sql, operands) => {
    expect(await failure(`SELECT ${sql}`)).toEqual({
      message: `numeric overflow: ${operands}`,
      kind: 'query',
    });
  });

  test('that quotes a text with NUL, where the engine truncates it, keeps the part before', async () => {
    expect(await failure(`SELECT ${raise("'Bad value: x' || chr(0) || 'y'", 'BIGINT')}`)).toMatchObject({
      message: expect.stringMatching(/^Bad value: x/),
      kind: 'query',
    });
  });

  test.each([
    "SELECT CAST('2024-02-30' AS DATE)",
    'SELECT unhex($$x$$)',
    "SELECT timezone('Nowhere', TIMESTAMP '2024-01-01')",
  ])('for a value is one of the query: %s', async (sql) => {
    const error = await failure(sql);
    expect(error.kind).toBe('query');
    expect(error.message).not.toContain('SELECT');
  });

  test('for anything else reveals nothing of the SQL', async () => {
    const error = await failure('SELECT secret_column FROM secret_table');
    expect(error.kind).toBe('engine');
    expect(error.message).not.toContain('secret');
  });
});
