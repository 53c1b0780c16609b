import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf } from '../../../bench/call-of.ts';
import { type Compared, compareSql } from '../../../bench/parts/compare-sql.ts';
import { compareDashboards } from '../../../bench/parts/dashboards.ts';
import { compareStoredQueries } from '../../../bench/parts/stored-queries.ts';
import { MeasurementError } from '../../../bench/proof.ts';
import { projectRef } from '../../../bench/store/projects.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

const aim = { part: 'sql', maxTimesByHand: 1.3 };
const project = projectRef(0);
const byHand = `SELECT id, timestamp, event_message, metadata FROM logs.edge_logs
  WHERE project = '${project}' ORDER BY timestamp DESC LIMIT 100`;

describe('the comparison with hand-written SQL', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const options = (cacheSeconds = 0) => ({
    dataDir: store.dataDir,
    now: store.now,
    cacheSeconds,
    verbose: false,
    print: () => undefined,
    runs: { warmUps: 0, leastRuns: 2, maxRuns: 2, budgetMs: 0 },
  });

  function logsAll(sql: string, ofRun: () => Readonly<Record<string, string>> = () => ({})): Compared {
    return {
      what: 'logs.all',
      byHand: sql,
      prepare: async ({ endpoints, executor }) => {
        const endpoint = endpoints.byName('logs.all');
        if (endpoint === undefined) throw new Error('no endpoint logs.all');
        const { execute } = executor;
        executor.execute = (_call, run) =>
          execute.call(executor, callOf(endpoint, { project, ...ofRun() }), run);
        return callOf(endpoint, { project });
      },
    };
  }

  it('measures every query of the benchmark, with as many runs of the engine as were timed', async () => {
    const findings = [...(await compareStoredQueries(options())), ...(await compareDashboards(options()))];
    expect(findings).toHaveLength(13);
    for (const { detail } of findings) expect(detail).toMatch(/; the same \d+ rows; 3 engine runs$/);
  });

  it.each([compareStoredQueries, compareDashboards])(
    'fails when answers come from the cache (%o)',
    async (compare) => {
      const failure = compare(options(60));
      await expect(failure).rejects.toThrow(/statements that were seen: expected (3, found 1|6, found 2)$/);
      await expect(failure).rejects.toThrow(MeasurementError);
    },
  );

  it('aims at so many times the time of the hand-written SQL and a constant', async () => {
    const targets = [
      { maxTimesByHand: 0, plusMs: 1_000_000 },
      { maxTimesByHand: 1_000_000, plusMs: 8 },
      { maxTimesByHand: 0, plusMs: 0.001 },
      { maxTimesByHand: 0 },
    ];
    const findings = [];
    for (const target of targets) {
      findings.push(...(await compareSql([logsAll(byHand)], { part: 'sql', ...target }, options())));
    }
    expect(findings.map(({ target, isMet }) => [target, isMet])).toEqual([
      ['<= x 0 + 1000000 ms', true],
      ['<= x 1000000 + 8 ms', true],
      ['<= x 0 + 0.001 ms', false],
      ['<= x 0', false],
    ]);
  });

  it('fails when the hand-written SQL gives other rows', async () => {
    const other = logsAll(byHand.replace('LIMIT 100', 'LIMIT 99'));
    await expect(compareSql([other], aim, options())).rejects.toThrow(
      'logs.all: the hand-written SQL does not give the same rows',
    );
  });

  it('fails when there is nothing to compare', async () => {
    const empty = logsAll(byHand.replace('LIMIT 100', 'LIMIT 0'));
    await expect(compareSql([empty], aim, options())).rejects.toThrow('no query gives any rows');
  });

  it('fails when a later run is another statement, even with the same rows', async () => {
    let calls = 0;
    const changing = logsAll(byHand, () =>
      calls++ === 0 ? {} : { iso_timestamp_start: '2020-01-01T00:00:00Z' },
    );
    await expect(compareSql([changing], aim, options())).rejects.toThrow(
      'logs.all: a later run gave DuckDB another statement',
    );
  });
});
