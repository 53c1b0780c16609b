import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import { CacheBudget } from '../../../src/base/memory/cache-budget.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { adHocSql } from '../../../src/calls/sandbox/ad-hoc-sql.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../../src/sql/analyzer/error.ts';
import { openWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Queries over an analyzer that keeps what it is asked, and may fail. */
function watched(
  options: {
    planBytes?: number;
    failure?: () => Error | undefined;
    checkPlan?: () => Promise<void>;
    onAnalyzed?: () => void;
  } = {},
) {
  const texts: string[] = [];
  const { analyzer, catalog } = world;
  const planner = new LocalPlanner({
    parse: (sql, signal) => analyzer.parse(sql, signal),
    readDefinition: (...args) => analyzer.readDefinition(...args),
    call: (...args) => analyzer.call(...args),
    analyze: async (sql, context, signal) => {
      texts.push(sql);
      const error = options.failure?.();
      if (error !== undefined) throw error;
      const statement = await analyzer.analyze(sql, context, signal);
      options.onAnalyzed?.();
      return statement;
    },
  });
  const queries = adHocSql({
    planText: (text, signal) => planner.planAdHocQuery(text, signal),
    catalog,
    checkPlan: options.checkPlan ?? world.checkPlan,
    plans: new CacheBudget({ name: 'plans', maxBytes: options.planBytes ?? 1_000_000 }),
  });
  const endpoint = world.endpoint('logs.all');
  return {
    texts,
    plan: (sql: string, signal?: AbortSignal) => queries.plan(endpoint, sql, ownAccount, signal),
    planFor: (key: string, sql: string) => queries.plan(endpoint, sql, { key, subject: '' }),
    known: (sql: string) => queries.known(endpoint, sql),
    planOn: (name: string, sql: string) => queries.plan(world.endpoint(name), sql),
    planOnNewVersion: (sql: string) => queries.plan({ ...endpoint }, sql),
  };
}

const sql = 'select id from edge_logs';

test('a key that sends many texts evicts its own plans and refusals, not those of others', async () => {
  const { length: size } = (await watched().plan(sql)).plan.packed;
  const { planFor, known } = watched({ planBytes: 10 * size });
  const first = await planFor('other', sql);
  await expect(planFor('other', 'select nothing')).rejects.toThrow('Unrecognized name');
  const flood = Array.from({ length: 20 }, (_, n) => `select id, ${n} as n from edge_logs`);
  for (const text of flood) await planFor('flooding', text);
  for (let n = 0; n < 20; n++) await planFor('flooding', `select nothing${n}`).catch(() => {});
  expect(known(sql)).toBe(first);
  expect(() => known('select nothing')).toThrow('Unrecognized name');
  expect(known(flood[0] ?? '')).toBeUndefined();
});

describe('a text', () => {
  test.each([
    ['select 1 as x', []],
    ['select id from EDGE_LOGS', ['edge_logs']],
    ['with a as (select id from `Edge_Logs`) select a.id from a, auth_logs', ['auth_logs', 'edge_logs']],
    ['select (select count(*) from edge_logs) as n', ['edge_logs']],
    ['with edge_logs as (select 1 as id) select id from edge_logs', []],
  ])('tells which tables it reads: %s', async (text, tables) => {
    const query = await watched().plan(text);
    expect([...query.tables].sort()).toEqual(tables);
  });

  test('is planned once, also when it comes from many at the same time', async () => {
    const { plan, texts } = watched();
    const plans = await Promise.all(Array.from({ length: 10 }, () => plan(sql)));
    expect(new Set([...plans, await plan(sql)]).size).toBe(1);
    expect(texts.filter((text) => text === sql)).toHaveLength(1);
  });

  test('is planned again for another endpoint, or another version', async () => {
    const { plan, planOn, planOnNewVersion } = watched();
    const first = await plan(sql);
    expect(await planOn('layers', sql)).not.toBe(first);
    expect(await planOnNewVersion(sql)).not.toBe(first);
    expect(await plan(sql)).toBe(first);
  });

  test('that is refused is refused again without asking', async () => {
    const { plan, texts } = watched();
    for (let i = 0; i < 3; i++) await expect(plan('select nothing')).rejects.toThrow('Unrecognized name');
    expect(texts).toHaveLength(1);
  });

  test('is forgotten when others need the room', async () => {
    const { length: size } = (await watched().plan(sql)).plan.packed;
    const { plan } = watched({ planBytes: 6 * size });
    const first = await plan(sql);
    for (let i = 0; i < 2; i++) await plan(`select id, ${i} as n from edge_logs`);
    expect(await plan(sql)).toBe(first);
    for (let i = 2; i < 8; i++) await plan(`select id, ${i} as n from edge_logs`);
    expect(await plan(sql)).not.toBe(first);
  });
});

test('a transient refusal, as by an engine that is starting, is not cached', async () => {
  const away = new GatewayError('BACKEND_UNAVAILABLE', 'The engine is being started again');
  const checkPlan = vi.fn(async () => {}).mockRejectedValueOnce(away);
  const { plan } = watched({ checkPlan });
  await expect(plan(sql)).rejects.toBe(away);
  await expect(plan(sql)).resolves.toBeDefined();
});

test('a temporary refusal is not cached', async () => {
  const refused = new GatewayError('QUERY_FAILED', 'The engine ended twice', { retryAfterSeconds: 60 });
  const checkPlan = vi.fn(async () => {}).mockRejectedValueOnce(refused);
  const { plan } = watched({ checkPlan });
  await expect(plan(sql)).rejects.toBe(refused);
  await expect(plan(sql)).resolves.toBeDefined();
});

describe('a caller that leaves', () => {
  const gone = new Error('the caller has left');

  test('disturbs no other with the same text', async () => {
    const leaving = new AbortController();
    const { plan, texts } = watched();
    const calls = [plan(sql, leaving.signal), plan(sql)];
    leaving.abort(gone);
    await expect(calls[0]).rejects.toBe(gone);
    await expect(calls[1]).resolves.toBeDefined();
    expect(texts.filter((text) => text === sql)).toHaveLength(1);
  });

  test.each([1, 2])(
    'as the last one after analysis %i ends the planning there, and nothing of it is kept',
    async (last) => {
      const leaving = new AbortController();
      const checkPlan = vi.fn(async () => {});
      let analyses = 0;
      const onAnalyzed = () => {
        if (++analyses === last) leaving.abort(gone);
      };
      const { plan, known } = watched({ checkPlan, onAnalyzed });
      await expect(plan(sql, leaving.signal)).rejects.toBe(gone);
      expect(known(sql)).toBeUndefined();
      await expect(plan(sql)).resolves.toBeDefined();
      expect(analyses).toBe(last + 2);
      expect(checkPlan).toHaveBeenCalledOnce();
    },
  );
});

describe('an analyzer', () => {
  test('that is not available is an error that is not cached', async () => {
    let failure: Error | undefined = new AnalyzerUnavailableError('The SQL analyzer was stopped');
    const { plan } = watched({ failure: () => failure });
    await expect(plan(sql)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', status: 503 });
    failure = undefined;
    await expect(plan(sql)).resolves.toBeDefined();
  });

  test('that a query was too much for is an error of the query', async () => {
    const { plan } = watched({ failure: () => new AnalyzerOverwhelmedError('It took too long') });
    await expect(plan(sql)).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('too complex'),
    });
  });
});

test('a plan is at hand once it was made, and so is a refusal', async () => {
  const { plan, known } = watched();
  expect(known(sql)).toBeUndefined();
  const query = await plan(sql);
  expect(known(sql)).toBe(query);
  await expect(plan('select nothing')).rejects.toThrow();
  expect(() => known('select nothing')).toThrow('Unrecognized name');
});
