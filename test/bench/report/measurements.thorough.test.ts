import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureCallers } from '../../../bench/report/callers/measure-callers.ts';
import { measureHits } from '../../../bench/report/hits/measure-hits.ts';
import { measureImports } from '../../../bench/report/imports/measure-imports.ts';
import { measureLatency } from '../../../bench/report/latency/measure-latency.ts';
import { measureMemory } from '../../../bench/report/memory/measure-memory.ts';
import { measureOverload } from '../../../bench/report/overload/measure-overload.ts';
import { type PartName, partNames } from '../../../bench/report/part-name.ts';
import { measurePlanning } from '../../../bench/report/planning/measure-planning.ts';
import { measureStoreRefreshes } from '../../../bench/report/refreshes/measure-store-refreshes.ts';
import { sections } from '../../../bench/report/sections.ts';
import { measureServers } from '../../../bench/report/servers/measure-servers.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

describe('the measurements of the report', () => {
  let store: TinyStore;
  let folder: string;
  beforeAll(async () => {
    store = await tinyStore();
    folder = await mkdtemp(join(tmpdir(), 'report-measurements-'));
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const common = () => ({
    rows: 3_000,
    store: async () => store.dataDir,
    now: () => store.now,
    packageDir: process.cwd(),
    environment: process.env,
    print: () => undefined,
    folder,
  });
  const noCompetitors = {
    ...{ rounds: 1, seconds: 0.1, competitors: [] },
    competitorsFolder: () => Promise.reject(new Error('nothing is installed by tests')),
  };
  const runs = { warmUps: 0, leastRuns: 2, maxRuns: 2, budgetMs: 0 };

  const measure: Readonly<Record<PartName, () => Promise<unknown>>> = {
    servers: async () => (await measureServers(noCompetitors)).data,
    latency: async () => (await measureLatency({ ...common(), sizes: [3_000], runs })).data,
    refreshes: async () =>
      (await measureStoreRefreshes({ ...common(), sizes: [3_000], refreshes: 2, leastRows: 20 })).data,
    callers: () => measureCallers({ ...common(), callers: 20, rounds: 1, replicas: [1] }),
    overload: () =>
      measureOverload({
        ...{ ...common(), rounds: 1, seconds: 3, openingSeconds: 0 },
        ...{ connections: 20, levels: [1, 2] },
      }),
    hits: () => measureHits({ ...common(), rounds: 1, seconds: 2, callers: 2 }),
    imports: () => measureImports({ ...common(), rounds: 1, seconds: 1, collectors: 2 }),
    planning: () => measurePlanning({ ...common(), texts: 2, tables: [1, 3] }),
    memory: () => measureMemory({ ...common(), rounds: 1, seconds: 2 }),
  };

  it.each(partNames)('give the page of %s what it shows', async (part) => {
    const { results, plot, table } = sections[part].section(await measure[part]());
    expect(results.length).toBeGreaterThan(0);
    expect(table.rows.length).toBeGreaterThan(0);
    expect(JSON.stringify([results, table, plot])).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('fail when answers are not hits', async () => {
    await expect(measureServers({ ...noCompetitors, cacheSeconds: 0 })).rejects.toThrow(
      /^gateway, from its cache: engine runs: expected 0, found \d+$/,
    );
  });

  it('fail when calls that are not to be cached are', async () => {
    const cached = measureLatency({ ...common(), sizes: [3_000], runs, cacheSeconds: 60 });
    await expect(cached).rejects.toThrow(/^3,000 rows: usage.api-counts minutely: statements that were seen/);
  });

  it('fail when a gateway does not count', async () => {
    const command = [process.execPath, 'test/bench/fake-gateway.ts'] as const;
    const fake = { ...common(), command, rounds: 1 };
    await expect(measureCallers({ ...fake, callers: 2, replicas: [1] })).rejects.toThrow(
      '1 replicas: a call alone was answered {}',
    );
    await expect(measureHits({ ...fake, seconds: 1, callers: 1 })).rejects.toThrow('/metrics answered 200');
  });

  it('fail when an import keeps nothing', async () => {
    const importCommand = [process.execPath, '-e', ''] as const;
    const imports = measureImports({ ...common(), rounds: 1, seconds: 1, importCommand });
    await expect(imports).rejects.toThrow('ndjson: there is no store');
  });
});
