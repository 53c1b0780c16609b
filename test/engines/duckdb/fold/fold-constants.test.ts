import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixed } from '../../../../src/engines/duckdb/dialect/constant.ts';
import { emitExpression, emitQuery } from '../../../../src/engines/duckdb/emit/emit-query.ts';
import type { EmitContext } from '../../../../src/engines/duckdb/emit/emitter/context.ts';
import {
  type ConstantQuestion,
  ConstantTable,
  type Known,
  KnownConstants,
} from '../../../../src/engines/duckdb/fold/constant-table.ts';
import { foldConstants } from '../../../../src/engines/duckdb/fold/fold-constants.ts';
import { installMacros } from '../../../../src/engines/duckdb/macros/install.ts';
import { decoderOf } from '../../../../src/engines/duckdb/run/rows/decode.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../../src/sql/analyzer/catalog.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';

const catalog: Catalog = {
  tables: [
    {
      path: ['logs', 't'],
      columns: [
        { name: 'ts', type: { kind: 'TIMESTAMP' } },
        { name: 's', type: { kind: 'STRING' } },
        { name: 'n', type: { kind: 'INT64' } },
      ],
    },
  ],
};
const string: SqlType = { kind: 'STRING' };
// 2026-11-20 06:00:00 UTC
const now = 1_795_154_400_000_000n;

let analyzer: Analyzer;
let connection: DuckDBConnection;
const asked: string[][] = [];

beforeAll(async () => {
  analyzer = await Analyzer.start();
  const instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await installMacros(connection);
});
afterAll(async () => {
  await analyzer.close();
  connection.closeSync();
});

async function evaluate(questions: readonly ConstantQuestion[]): Promise<Known[]> {
  asked.push(questions.map(({ sql }) => sql));
  const answers: Known[] = [];
  for (const { sql, type } of questions) {
    try {
      const reader = await connection.runAndReadAll(`SELECT ${sql}`);
      answers.push({ value: decoderOf(type)(reader.value(0, 0)) });
    } catch (error) {
      answers.push({ error: (error as Error).message });
    }
  }
  return answers;
}

/** The SQL that a query comes to with the values of its parameters, all of them STRING. */
async function emitted(sql: string, values: Record<string, Value> = {}, kept = new KnownConstants()) {
  asked.length = 0;
  const parameters = new Map(Object.entries(values).map(([name, value]) => [name, fixed(value)]));
  const statement = await analyzer.analyze(sql, {
    catalog,
    parameters: new Map([...parameters.keys()].map((name) => [name, string])),
  });
  const context: EmitContext = {
    parameters,
    now: fixed(now),
    callCount: 0,
    isVolatile: false,
    hasBorder: false,
    tableSql: (table) => table,
  };
  const table = new ConstantTable({
    emit: (expression) => emitExpression(expression, context),
    parameters,
    kept,
  });
  return emitQuery(await foldConstants(statement, table, evaluate), context).sql;
}

const bound = `select n from logs.t where case when coalesce(@from, '') = '' then true
  else cast(t.ts as timestamp) > cast(@from as timestamp) end`;

describe('a bound by a parameter', () => {
  it('is a comparison of the column with a literal', async () => {
    expect(await emitted(bound, { from: '2026-01-02T03:04:05.678901+02:00' })).toMatch(
      /"\w+" > TIMESTAMP '2026-01-02 01:04:05.678901'/,
    );
  });

  it.each([null, ''])('costs nothing when it is %j', async (from) => {
    expect(await emitted(bound, { from })).not.toMatch(/CASE|TIMESTAMP|coalesce/i);
  });

  it('blames the parameter when it is not a timestamp', async () => {
    await expect(emitted(bound, { from: 'soon' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/^Parameter "from": .*Invalid timestamp: 'soon'/s),
      details: { parameter: 'from' },
    });
  });

  it('names the parameter as it was declared', async () => {
    const sql = 'select n from logs.t where ts > cast(@isoStart as timestamp)';
    await expect(emitted(sql, { isoStart: 'soon' })).rejects.toMatchObject({
      details: { parameter: 'isoStart' },
    });
  });

  it('is found through a relation of one row, however deep', async () => {
    const sql = `with dates as (select case when @i = 'hourly' then timestamp_sub(current_timestamp(), interval 1 hour) end as start),
      again as (select start as other from dates)
      select count(*) from again, logs.t where t.ts >= again.other`;
    expect(await emitted(sql, { i: 'hourly' })).toMatch(/c\d+ >= TIMESTAMP '2026-11-20 05:00:00'/);
  });

  it('is not taken from the side of an outer join that may be missing', async () => {
    const sql = `with d as (select @i as x) select n from logs.t left join d on t.s = d.x where d.x is null`;
    expect(await emitted(sql, { i: 'a' })).toMatch(/c\d+ IS NULL/);
  });
});

describe('conditions', () => {
  it('are settled before the branches behind them are looked at', async () => {
    const sql = `select case when @a = '' then 0 when @a = 'x' then cast(@b as int64) else n end as r from logs.t`;
    expect(await emitted(sql, { a: '', b: 'bad' })).toMatch(/0::BIGINT/);
    expect(await emitted(sql, { a: 'y', b: 'bad' })).not.toMatch(/CASE/);
    await expect(emitted(sql, { a: 'x', b: 'bad' })).rejects.toMatchObject({ details: { parameter: 'b' } });
  });

  it('settle a CASE with a value, its results being columns', async () => {
    const sql = `select case @i when 'hour' then timestamp_trunc(ts, hour) when 'day' then timestamp_trunc(ts, day) end as b from logs.t`;
    expect(await emitted(sql, { i: 'day' })).toMatch(/date_trunc\('day', "\w+"\)/);
    expect(await emitted(sql, { i: 'day' })).not.toMatch(/hour|CASE/);
    expect(await emitted(sql, { i: 'week' })).toMatch(/CAST\(NULL AS TIMESTAMP\)/);
  });

  it('of columns stay, and constants after them are not errors before a row needs them', async () => {
    const sql = `select case when n > 0 then cast(@b as int64) else n end as r from logs.t`;
    expect(await emitted(sql, { b: 'bad' })).toMatch(/CASE WHEN/);
  });

  it('that are false make an AND false, whatever its other operands come to', async () => {
    const sql = `select n from logs.t where @a = 'x' and n = cast(@b as int64)`;
    expect(await emitted(sql, { a: 'y', b: 'bad' })).toMatch(/WHERE false/);
    await expect(emitted(sql, { a: 'x', b: 'bad' })).rejects.toMatchObject({ details: { parameter: 'b' } });
  });

  it('that come to the same in all operands disappear as a whole', async () => {
    const where = async (condition: string, values: Record<string, Value>) =>
      (await emitted(`select n from logs.t where ${condition}`, values)).replace(/^.* FROM logs\.t/, '');
    const both = '(@x is null or s = @x) and (@y is null or s > @y)';
    expect(await where(both, { x: null, y: null })).toBe('');
    expect(await where(both, { x: null, y: 'b' })).toBe(` WHERE ("s" > 'b')`);
    expect(await where('coalesce(s = @x, true)', { x: null })).toBe('');
    expect(await where('coalesce(s = @x, true)', { x: 'a' })).toBe(` WHERE coalesce(("s" = 'a'), true)`);
    expect(await where('s = coalesce(@x, s)', { x: 'a' })).toBe(` WHERE ("s" = 'a')`);
    expect(await where('coalesce(nullif(@x, @x), s) is null', { x: 'a' })).toBe(' WHERE ("s" IS NULL)');
  });

  it('of an order leave the keys that differ', async () => {
    const sorted = `select n from logs.t order by case @sort when 's' then s end, if(@sort = 'n', n, null) desc, ts`;
    const order = async (sort: string) => (await emitted(sorted, { sort })).replace(/^.* ORDER BY /, '');
    expect(await order('s')).toBe('"s" ASC NULLS FIRST, "ts" ASC NULLS FIRST');
    expect(await order('n')).toBe('"n" DESC NULLS LAST, "ts" ASC NULLS FIRST');
    expect(await order('')).toBe('"ts" ASC NULLS FIRST');
    const joined = `select a.n from logs.t as a left join (select n, @x as x from logs.t) as b on a.n = b.n order by b.x, a.n`;
    expect((await emitted(joined, { x: 'a' })).replace(/^.* ORDER BY /, '').split(',')).toHaveLength(2);
  });

  it('that are true make an OR true', async () => {
    const sql = `select n from logs.t where @a = '' or regexp_contains(s, @a)`;
    expect(await emitted(sql, { a: '' })).not.toMatch(/regexp/);
  });
});

describe('a pattern in a parameter', () => {
  it('is checked before any row is met', async () => {
    const sql = 'select n from logs.t where regexp_contains(s, @p) and n = 1';
    await expect(emitted(sql, { p: '(a' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { parameter: 'p' },
    });
    expect(await emitted(sql, { p: 'a' })).toMatch(/contains\("\w+", 'a'\)/);
  });
});

describe('an error', () => {
  it('of the query itself, without a parameter, is left for the run', async () => {
    expect(await emitted("select cast('x' as int64) + n as r from logs.t")).toMatch(/'x'/);
  });

  it('in a CTE that is not read is none', async () => {
    const sql = 'with unread as (select cast(@p as int64) as x) select n from logs.t where @p is not null';
    expect(await emitted(sql, { p: 'bad' })).toBeDefined();
  });
});

describe('questions', () => {
  it('are asked together, and not again once their answers are known', async () => {
    const kept = new KnownConstants();
    const sql = 'select n from logs.t where ts > cast(@a as timestamp) and ts <= cast(@b as timestamp)';
    const values = { a: '2026-01-01', b: '2026-01-02' };
    await emitted(sql, values, kept);
    expect(asked.map((questions) => questions.length)).toEqual([2]);
    await emitted(sql, values, kept);
    expect(asked).toEqual([]);
  });

  it('of different types are distinguished, even if their SQL is the same', async () => {
    const kept = new KnownConstants();
    expect(await emitted('select n from logs.t where ts < current_timestamp()', {}, kept)).toMatch(
      /TIMESTAMP/,
    );
    const both = `select n from logs.t where ts < current_timestamp() and datetime(ts) < current_datetime()`;
    expect(await emitted(both, {}, kept)).toMatch(
      /< TIMESTAMP '2026-11-20 06:00:00'.*< TIMESTAMP '2026-11-20 06:00:00'/,
    );
  });

  it('are not about arrays, whose values can be far longer than their expressions', async () => {
    expect(await emitted('select n from logs.t, unnest(generate_array(1, 1000000)) x')).toMatch(/generate_/);
    expect(asked.flat().join()).not.toMatch(/generate_/);
  });

  it('that come to NULL are answered, too', async () => {
    const sql = 'select n from logs.t where ts > timestamp_add(cast(@a as timestamp), interval 1 day)';
    expect(await emitted(sql, { a: null })).toMatch(/CAST\(NULL AS TIMESTAMP\)/);
  });

  it('are not about functions that give another value each time', async () => {
    expect(await emitted('select n from logs.t where rand() < 0.5')).toMatch(/random\(\)/);
  });
});

describe('nested calls', () => {
  // Each level twice as long as the one inside it would be years.
  const nested = (open: string, inner: string, close: string) =>
    `select ${open.repeat(60)}${inner}${close.repeat(60)} from logs.t`;

  it.each([
    ['IF in conditions', nested('if(', 'n > 0', ", s = '1', s = '2')")],
    ['CASE in conditions', nested('case when ', 'n > 0', " then s = '1' else s = '2' end")],
    ['connectives of constants that fail', nested('(div(1, 0) = 1 and (div(2, 0) = 1 or ', 'true', '))')],
  ])('take as long as there are many: %s', async (_, sql) => {
    expect(await emitted(sql)).toMatch(/^SELECT/);
  });
});
