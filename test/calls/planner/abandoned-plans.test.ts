import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/system/clock.ts';
import { PlannerThread } from '../../../src/calls/planner/planner-thread.ts';
import { adHocQueries } from '../../../src/calls/sandbox/ad-hoc-query.ts';
import { adHocSql } from '../../../src/calls/sandbox/ad-hoc-sql.ts';
import type { EndpointTable } from '../../../src/definitions/endpoints/endpoint.ts';
import { defaultAnalyzerSettings } from '../../../src/sql/analyzer/settings.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from '../executor/support/caller.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { settled } from '../executor/support/manual-clock.ts';
import { setUp } from '../executor/support/setup.ts';

const gone = new Error('the caller has left');

/** One permit, and the planning thread, which begins its work when it is let. */
async function world() {
  const folder = await temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  const planner = new PlannerThread({
    settings: defaultAnalyzerSettings,
    clock: systemClock,
    log: { warn() {} },
  });
  vi.unstubAllEnvs();
  onTestFinished(() => planner.close());
  const { executor, engine } = setUp({ settings: { maxConcurrentQueries: 1, maxQueuedQueries: 10 } });
  const { plan, ...endpoint } = endpointWith({ cacheSeconds: 0, parameters: [], sandbox: true });
  const table: EndpointTable = { name: 'numbers', plan, boundBy: new Set() };
  const stored = {
    ...endpoint,
    plan: { ...plan, sql: 'WITH numbers AS (SELECT 1 AS n) SELECT n FROM numbers' },
  };
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const queries = adHocQueries({
    queries: adHocSql({
      async planText(text, signal) {
        begun.push(text.sql);
        await gate.promise;
        return planner.planAdHocQuery(text, signal);
      },
      catalog: { tables: [] },
      checkPlan: async () => {},
    }),
  });
  const ask = (key: string, text: string, signal = new AbortController().signal) => {
    const asked = { endpoint: { ...stored, tables: [table] }, payer: callerNamed(key) };
    const call = callOf({ ...asked, reads: { query: { language: 'sql', text } } }, { adHocQueries: queries });
    return executor.execute(call, { signal });
  };
  return { ask, begun, engine, permits: executor.permits, begin: gate.resolve };
}

test('those who ask new queries and leave have no more plans in work than permits', async () => {
  const { ask, begun, engine, permits, begin } = await world();
  for (let i = 0; i < 3; i++) {
    const leaving = new AbortController();
    const call = ask('a', `select ${i} as n`, leaving.signal);
    call.catch(() => {});
    await settled();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
  }
  const other = ask('b', 'select 7 as n');
  await settled();
  expect(begun).toEqual(['select 0 as n']);
  expect(permits.state).toMatchObject({ running: 1, waiting: 1 });
  begin();
  await expect.poll(() => engine.runs.length).toBe(1);
  engine.latest.succeed([[7n]]);
  await other;
  expect(begun).toEqual(['select 0 as n', 'select 7 as n']);
  expect(permits.taken).toBe(0);
});
