import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { never } from '../../../src/base/async/race-with-abort.ts';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import { type Clock, systemClock } from '../../../src/base/system/clock.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { PlannerSession } from '../../../src/calls/planner/planner-session.ts';
import { PlannerThread } from '../../../src/calls/planner/planner-thread.ts';
import type { Offer } from '../../../src/calls/sandbox/endpoint-sandbox.ts';
import { defaultSandboxLimits as limits } from '../../../src/calls/sandbox/limits.ts';
import type { AdHocText } from '../../../src/calls/sandbox/plan-ad-hoc-query.ts';
import type { StoredText } from '../../../src/definitions/endpoints/plan-text.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../../src/sql/analyzer/error.ts';
import { defaultAnalyzerSettings } from '../../../src/sql/analyzer/settings.ts';
import { newPlan, type Plan, statementOf } from '../../../src/sql/plan/plan.ts';
import { packed } from '../../../src/sql/values/packed.ts';
import { eventually, processesNaming } from '../../acceptance/support/processes.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { endOfThread, hangOfThread } from './support/end-of-thread.ts';

const columns = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'n', type: { kind: 'INT64' } },
] as const;
const catalog = packed<Catalog>({ tables: [{ path: ['logs', 'edge_logs'], columns }] });
const sql = 'WITH edge AS (SELECT id FROM logs.edge_logs WHERE n = @n) SELECT id FROM edge';
const parameters = new Map([['n', { kind: 'INT64' }]] as const);
const stored: StoredText = { sql, declared: parameters, hasTables: true, catalog };
const offer = packed<Offer>({
  sql,
  parameters,
  functions: [],
  tables: [{ name: 'edge', columns: [columns[0]] }],
});
const callers = (text: string): AdHocText => ({ sql: text, offer, catalog, limits, account: ownAccount });
const mapping = { project: 'p', dataset: 'd', tables: new Map() };

const told: string[] = [];
afterEach(() => {
  told.length = 0;
});

const parts = () => ({
  settings: defaultAnalyzerSettings,
  clock: systemClock,
  log: {
    warn: (message: string, fields: object = {}) => void told.push(`${message} ${JSON.stringify(fields)}`),
  },
  program: new URL('support/ending-thread.ts', import.meta.url),
});

/** A thread, and the folder that is named by all processes that it starts. */
async function startThread(clock: Clock = systemClock) {
  const folder = await temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  const planner = new PlannerThread({ ...parts(), clock });
  vi.unstubAllEnvs();
  onTestFinished(() => planner.close());
  return { planner, processes: async () => (await processesNaming(folder)).map(({ pid }) => pid) };
}

/** A plan with its tree unpacked. */
const whole = (plan: Plan) => ({ ...plan, packed: statementOf(plan) });

describe('the planning thread', () => {
  let analyzer: Analyzer;
  beforeAll(async () => {
    analyzer = await Analyzer.start();
  });
  afterAll(() => analyzer?.close());

  test('makes the plans that are made without it', async () => {
    const { planner } = await startThread();
    const here = new LocalPlanner(analyzer);
    const [planned, expected] = [await planner.planText(stored), await here.planText(stored)];
    expect({ ...planned, tables: [], plan: planned.plan && whole(planned.plan) }).toEqual({
      ...expected,
      tables: [],
      plan: expected.plan && whole(expected.plan),
    });
    expect(planned.tables.map(({ plan, ...rest }) => ({ ...rest, plan: whole(plan) }))).toEqual(
      expected.tables.map(({ plan, ...rest }) => ({ ...rest, plan: whole(plan) })),
    );
    const text = callers('select count(*) as n from edge');
    const [ofCaller, expectedOfCaller] = [
      await planner.planAdHocQuery(text),
      await here.planAdHocQuery(text),
    ];
    expect({ ...ofCaller, plan: whole(ofCaller.plan) }).toEqual({
      ...expectedOfCaller,
      plan: whole(expectedOfCaller.plan),
    });
    expect(await planner.prepareText(ofCaller.plan, mapping)).toEqual(
      await here.prepareText(ofCaller.plan, mapping),
    );
    expect(await planner.listFunctions()).toEqual(await here.listFunctions());
  });

  test('gives columns of equal types one type, which is packed and unpacked once', async () => {
    const { planner } = await startThread();
    const { plan } = await planner.planAdHocQuery(
      callers('select [struct(1 as a)] as x, [struct(1 as a)] as y'),
    );
    const [x, y] = plan.columns;
    expect(x?.type.kind).toBe('ARRAY');
    expect(x?.type).toBe(y?.type);
  });

  test('tells mistakes and refusals as they are', async () => {
    const { planner } = await startThread();
    expect(await planner.planText({ ...stored, sql: 'SELECT\n  nothing' })).toEqual({
      uses: [],
      tables: [],
      mistake: { message: 'Unrecognized name: nothing', position: { line: 2, column: 3 } },
    });
    await expect(planner.planAdHocQuery(callers('select 1 from logs.edge_logs'))).rejects.toMatchObject({
      name: 'GatewayError',
      code: 'SANDBOX_VIOLATION',
      message: 'Table not found: logs.edge_logs [at 1:15]. Tables: edge',
    });
    const tree = { resolved_system_variable_node: {} };
    const plan = newPlan({
      isCallers: false,
      sql: 'SELECT 1',
      statement: tree,
      columns: [],
      parameters: new Map(),
    });
    await expect(planner.prepareText(plan, mapping)).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: 'System variables are not supported',
    });
  });

  test('is started again when it ends: the text to blame is refused for a while, and others are planned again', async () => {
    const { planner, processes } = await startThread();
    await planner.planText(stored);
    const before = await processes();
    expect(before).not.toEqual([]);
    const others = Array.from({ length: 3 }, (_, i) =>
      planner.planAdHocQuery(callers(`select id, ${i} from edge`)),
    );
    const ending = planner.planAdHocQuery(callers(endOfThread));
    const blame = 'The planning thread stopped twice while it planned this query';
    await expect(ending).rejects.toThrow(new AnalyzerOverwhelmedError(blame));
    for (const { tables } of await Promise.all(others)) expect(tables).toEqual(new Set(['edge']));
    await expect(planner.planAdHocQuery(callers(endOfThread))).rejects.toThrow(blame);
    expect((await planner.planAdHocQuery(callers('select id from edge'))).tables).toEqual(new Set(['edge']));
    expect(told.slice(0, 1)).toEqual(['The planning thread stopped; restarting {"reason":"it met its end"}']);
    expect(told.slice(1).every((line) => line.startsWith('The planning thread is ready again'))).toBe(true);
    await eventually('its analyzer has ended, too', async () =>
      (await processes()).every((pid) => !before.includes(pid)),
    );
  });

  test('ends a call that is cancelled at the next step of its work', async () => {
    const leaving = new AbortController();
    const { planner } = await startThread();
    await planner.planText(stored);
    const call = planner.planAdHocQuery(callers('select id from edge'), leaving.signal);
    leaving.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    // A session answers when its thread has met the end of the call.
    const session = await PlannerSession.start(parts(), never);
    onTestFinished(() => session.end('the test is over'));
    const other = new AbortController();
    const underWay = session.calls.planAdHocQuery(callers('select id from edge'), other.signal);
    other.abort();
    await expect(underWay).rejects.toThrow('This operation was aborted');
  });

  test('is restarted when it hangs, detected by a cancelled call that continues', async () => {
    const { planner } = await startThread({
      ...systemClock,
      after: (_, callback) => systemClock.after(50, callback),
    });
    await planner.planText(stored);
    const leaving = new AbortController();
    const hanging = planner.planAdHocQuery(callers(hangOfThread), leaving.signal);
    const other = planner.planAdHocQuery(callers('select id from edge'));
    await setImmediate();
    leaving.abort(new Error('left'));
    await expect(hanging).rejects.toThrow('left');
    expect((await other).tables).toEqual(new Set(['edge']));
    expect(told[0]).toBe(
      'The planning thread stopped; restarting {"reason":"a cancelled call did not stop"}',
    );
  });

  test('leaves nothing behind', async () => {
    const { planner, processes } = await startThread();
    const underWay = planner.planText(stored);
    underWay.catch(() => {});
    await planner.planText(stored);
    await planner.close();
    expect(await processes()).toEqual([]);
    await expect(planner.planText(stored)).rejects.toThrow(AnalyzerUnavailableError);
  });
});
