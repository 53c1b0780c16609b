import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningQueries } from '../../../../../src/engines/duckdb/guard/running-queries.ts';
import { readEngineError } from '../../../../../src/engines/duckdb/run/engine-error.ts';
import { answerClaim, claim, whenRoomInAnswer } from '../../../../../src/engines/duckdb/udf/js/claim.ts';
import { JsFunction } from '../../../../../src/engines/duckdb/udf/js/js-function.ts';
import { int64, listOf, numeric, text } from '../../../../../src/engines/duckdb/udf/js/js-type.ts';
import { WorkLimit } from '../../../../../src/engines/duckdb/udf/js/work-limit.ts';
import { Failure, Refusal } from '../../../../../src/sql/values/function-errors.ts';

const shout = new JsFunction('shout', [text, int64], text, (value, times) => {
  if (times < 0n) throw new Failure(`Times must not be negative: ${times}`);
  return value === '' ? null : value.repeat(Number(times));
});
const bound = new JsFunction('bound', [int64], int64, (value) => {
  if (value > 9n) throw new Refusal('Not supported: more than 9');
  return value;
});
const reversed = new JsFunction('reversed', [listOf(text)], listOf(text), (values) => values.toReversed());
const halved = new JsFunction('halved', [numeric], numeric, (value) => value / 2n);
const broken = new JsFunction('broken', [text], text, (_value: string): string => {
  throw new TypeError('a secret');
});

let connection: DuckDBConnection;
/** Milliseconds that have passed for the functions. */
let elapsed = 0;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
  const limit = new WorkLimit(() => elapsed);
  for (const each of [shout, bound, reversed, halved, broken]) each.register(connection, { limit });
});
afterAll(() => connection.closeSync());

const rows = async (sql: string) => (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson();

test('values come and go unchanged, NUL and characters beyond the BMP among them', async () => {
  expect(await rows(shout.call(["'a' || chr(0) || 'é😀'", '2::BIGINT']))).toEqual([['a\0é😀a\0é😀']]);
  expect(await rows(reversed.call([`['a', NULL, '']`]))).toEqual([[['', null, 'a']]]);
  expect(await rows(halved.call([`'-99999999999999999999999999999.999999998'::DECIMAL(38,9)`]))).toEqual([
    ['-49999999999999999999999999999.999999999'],
  ]);
});

test('NULL among the arguments gives NULL without a call, and a result may be NULL', async () => {
  expect(await rows(shout.call(['NULL', '-1::BIGINT']))).toEqual([[null]]);
  expect(await rows(shout.call(["''", '1::BIGINT']))).toEqual([[null]]);
});

test('a failure reaches the caller in its words; the twin gives NULL for that row alone', async () => {
  const failing = rows(shout.call(["'it''s'", '-1::BIGINT']));
  const message = await failing.then(String, (error) => readEngineError(error).message);
  expect(message).toBe('Times must not be negative: -1');
  const sql = `${shout.call(["'a'", 'n'], true)} FROM (VALUES (1::BIGINT), (-1), (2)) v(n)`;
  expect(await rows(sql)).toEqual([['a'], [null], ['aa']]);
});

test("of what a function can't do, its twin makes no NULL", async () => {
  const failing = rows(bound.call(['10::BIGINT'], true));
  const message = await failing.then(String, (error) => readEngineError(error).message);
  expect(message).toBe('Not supported: more than 9');
});

test('a defect says nothing of itself', async () => {
  await expect(rows(broken.call(["'x'"]))).rejects.not.toThrow(/secret/);
});

test('many rows from several threads', async () => {
  const sql = `count(*), max(length(${shout.call(['s', '2::BIGINT'])})) FROM (SELECT 'n' || i AS s FROM range(200000) r(i))`;
  expect(await rows(sql)).toEqual([['200000', '14']]);
});

test('functions that block the event loop for too long are stopped', async () => {
  const slow = new JsFunction('slow', [int64], int64, (value) => {
    elapsed += 10;
    return value;
  });
  slow.register(connection, { limit: new WorkLimit(() => elapsed) });
  await expect(rows(`max(${slow.call(['i'])}) FROM range(2000) r(i)`)).rejects.toThrow(/too much work/);
});

test('of rows that each take long, none is begun when the time is up', async () => {
  let begun = 0;
  const slowest = new JsFunction('slowest', [int64], int64, (value) => {
    begun++;
    elapsed += 3000;
    return value;
  });
  slowest.register(connection, { limit: new WorkLimit(() => elapsed) });
  await expect(rows(`max(${slowest.call(['i'])}) FROM range(100) r(i)`)).rejects.toThrow(/too much work/);
  expect(begun).toBe(2);
});

test('the time starts again when the event loop has done something else', async () => {
  const limit = new WorkLimit(() => elapsed);
  limit.tick();
  elapsed += 5_000;
  expect(limit.isExceeded(limit.tick())).toBe(true);
  await new Promise(setImmediate);
  expect(limit.isExceeded(limit.tick())).toBe(false);
});

test('what would take too long to read is refused, also by the twin', async () => {
  const long = ["repeat('a', 2000001)", '0::BIGINT'];
  for (const safe of [false, true]) {
    const message = await rows(shout.call(long, safe)).then(
      String,
      (error) => readEngineError(error).message,
    );
    expect(message).toBe('Resources exceeded: a function was given a value longer than 2000000 characters');
  }
});

test("what can't wait is done while functions keep the event loop to themselves, also where they only claim", async () => {
  const looks: number[] = [];
  const slow = new JsFunction('unhurried', [int64], int64, (value) => {
    elapsed += 1;
    return value;
  });
  const limit = new WorkLimit(
    () => elapsed,
    () => looks.push(elapsed),
  );
  slow.register(connection, { limit });
  const began = elapsed;
  await rows(`max(${slow.call(['i'])}) FROM range(100) r(i)`);
  expect(looks.map((at) => at - began)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90]);

  const other = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  let looksAtClock = 0;
  claim.register(other, { limit: new WorkLimit(() => looksAtClock++) });
  await other.run('SELECT max(gateway_claim(i)) FROM range(2048 * 3) r(i)');
  other.closeSync();
  expect(looksAtClock).toBeGreaterThan(0);
});

test('an answer is made no further than it may be long, and one that is handed out as it comes has no end', async () => {
  const other = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const queries = new RunningQueries();
  answerClaim.register(other, { limit: new WorkLimit(() => 0), queries });
  const { signal } = new AbortController();
  const outcome = (rows: number, answer?: { bytes: number }) =>
    queries.during(other, { signal, answer }, async () => {
      const sql = `SELECT count(*) FROM range(${rows}) r(i) WHERE CASE ${whenRoomInAnswer('30000 + i')} true END`;
      const read = other.runAndReadAll(sql);
      return await read.then(
        (all) => Number(all.value(0, 0)),
        (error) => readEngineError(error).message,
      );
    });
  expect(await outcome(3_000, { bytes: 0 })).toBe(3_000);
  expect(await outcome(3_400, { bytes: 0 })).toMatch('The answer is larger than 100,000,000 bytes');
  expect(await outcome(3_400)).toBe(3_400);
  other.closeSync();
});
