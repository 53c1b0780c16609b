import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { RunQueue } from '../../src/executor/run-queue.ts';
import { LocalPlanner } from '../../src/planner/local-planner.ts';
import { callerQueries } from '../../src/sandbox/caller-queries.ts';
import { defaultSandboxLimits } from '../../src/sandbox/limits.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../src/sql/analyzer/error.ts';
import { openWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 60_000);
afterAll(() => world?.[Symbol.asyncDispose]());

type InTurn = NonNullable<Parameters<typeof callerQueries>[0]['inTurn']>;

/** Queries over an analyzer that keeps what it is asked, and may fail. */
function watched(
  options: {
    cacheCharacters?: number;
    failure?: () => Error | undefined;
    inTurn?: InTurn;
    checkPlan?: () => Promise<void>;
  } = {},
) {
  const texts: string[] = [];
  const { analyzer, catalog } = world;
  const planner = new LocalPlanner({
    parse: (sql) => analyzer.parse(sql),
    analyze: async (sql, context) => {
      texts.push(sql);
      const error = options.failure?.();
      if (error !== undefined) throw error;
      return analyzer.analyze(sql, context);
    },
  });
  const queries = callerQueries({
    planText: (text) => planner.planCallerQuery(text),
    catalog,
    checkPlan: options.checkPlan ?? world.checkPlan,
    ...(options.inTurn && { inTurn: options.inTurn }),
    limits: { ...defaultSandboxLimits, cacheCharacters: options.cacheCharacters ?? 1_000_000 },
  });
  const endpoint = world.endpoint('logs.all');
  return {
    texts,
    plan: (sql: string, signal?: AbortSignal, takePlace?: () => Disposable) =>
      queries.plan(endpoint, sql, signal, takePlace),
    planOn: (name: string, sql: string) => queries.plan(world.endpoint(name), sql),
    planOnNewVersion: (sql: string) => queries.plan({ ...endpoint }, sql),
  };
}

const sql = 'select id from edge_logs';

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

  test('is planned anew for another endpoint and another version of one', async () => {
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
    const { plan } = watched({ cacheCharacters: 5 * size });
    const first = await plan(sql);
    for (let i = 0; i < 2; i++) await plan(`select id, ${i} as n from edge_logs`);
    expect(await plan(sql)).toBe(first);
    for (let i = 2; i < 8; i++) await plan(`select id, ${i} as n from edge_logs`);
    expect(await plan(sql)).not.toBe(first);
  });
});

test('a refusal that passes, as of an engine that is being started, is not kept', async () => {
  const away = new GatewayError('BACKEND_UNAVAILABLE', 'The engine is being started again');
  const checkPlan = vi.fn(async () => {}).mockRejectedValueOnce(away);
  const { plan } = watched({ checkPlan });
  await expect(plan(sql)).rejects.toBe(away);
  await expect(plan(sql)).resolves.toBeDefined();
});

describe('an analyzer', () => {
  test('that is not there is an error that is not kept', async () => {
    let failure: Error | undefined = new AnalyzerUnavailableError('The SQL analyzer was stopped');
    const { plan } = watched({ failure: () => failure });
    await expect(plan(sql)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', status: 503 });
    failure = undefined;
    await expect(plan(sql)).resolves.toBeDefined();
  });

  test('that a query was too much for is an error of the query', async () => {
    const { plan } = watched({ failure: () => new AnalyzerOverwhelmedError('It took too long') });
    await expect(plan(sql)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('too complex'),
    });
  });
});

test('a caller who leaves is let go, and the others are answered', async () => {
  const { plan } = watched();
  const controller = new AbortController();
  const leaving = plan(sql, controller.signal);
  const staying = plan(sql);
  controller.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  await expect(staying).resolves.toBeDefined();
  await expect(plan(`${sql} `, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('a plan that nobody waits for any more gives up its place to another', async () => {
  const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
  const { plan, texts } = watched({ inTurn: (work, signal) => queue.run(() => true, signal, work) });
  const busy = Promise.withResolvers<void>();
  const first = queue.run(
    () => true,
    new AbortController().signal,
    () => busy.promise,
  );
  const callers = [new AbortController(), new AbortController()];
  const leaving = callers.map(({ signal }) => plan(sql, signal));
  for (const outcome of leaving) outcome.catch(() => {});
  callers[0]?.abort(new Error('left'));
  await expect(leaving[0]).rejects.toThrow('left');
  await expect(plan(`${sql} limit 1`)).rejects.toMatchObject({ code: 'OVERLOADED' });

  callers[1]?.abort(new Error('left, too'));
  await expect(leaving[1]).rejects.toThrow('left, too');
  const next = plan(`${sql} limit 1`);
  busy.resolve();
  await first;
  await expect(next).resolves.toBeDefined();
  expect(texts).not.toContain(sql);
});

test('everybody who waits for a plan takes a place, until he leaves or has it, and nobody for one that is there', async () => {
  const { plan } = watched();
  let places = 0;
  const takePlace = () => {
    places++;
    return { [Symbol.dispose]: () => void places-- };
  };
  const leaving = new AbortController();
  const left = plan(sql, leaving.signal, takePlace);
  const staying = [plan(sql, undefined, takePlace), plan(sql, undefined, takePlace)];
  expect(places).toBe(3);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect(places).toBe(2);
  await Promise.all(staying);
  expect(places).toBe(0);
  const full = () => {
    throw new Error('no place');
  };
  await expect(plan(`${sql} limit 1`, undefined, full)).rejects.toThrow('no place');
  await expect(plan(sql, undefined, full)).resolves.toBeDefined();
});
