import { readConfig } from '../../src/app/engines/registry.ts';
import { ownAccount } from '../../src/base/fairness/account.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { cacheMemory } from '../../src/calls/executor/create-executor.ts';
import type { ExecutorResult } from '../../src/calls/executor/executor.ts';
import { ShownRows } from '../../src/calls/executor/shown-rows.ts';
import { memoryBudgets } from '../../src/definitions/settings/memory-budgets.ts';
import { rowsInMemory } from '../../src/engines/rows/result-rows.ts';
import { ResponseCache } from '../../src/server/http/response-cache/response-cache.ts';
import { answerForm, variantFor } from '../../src/server/rest/answers/answer-form.ts';
import { bodyOf } from '../../src/server/rest/answers/make-body.ts';
import { cachedBody } from '../../src/server/rest/rest-handler.ts';
import { localExecutor, noMeter } from '../../test/support/local-executor.ts';
import { callOf } from '../call-of.ts';
import { benchEndpoint } from './cache-endpoint.ts';

/** The filler's task. */
export interface FillOrder {
  readonly questions: number;
  /** Rows of each result. */
  readonly rows: number;
  readonly cacheSeconds: number;
}

/** The memory of a process after many requests, in bytes. */
export interface Filled {
  readonly entries: number;
  /** How often the engine ran. */
  readonly engineRuns: number;
  /** Whether the last result was still cached. */
  readonly isCached: boolean;
  /** The growth of the heap and of external memory. */
  readonly grownBytes: number;
  /** The cache's own estimate of its size. */
  readonly countedBytes: number;
  readonly limitBytes: number;
}

/** Sends many requests with this number of rows each. Their results are cached like those of callers. */
async function fill({ questions, rows: rowCount, cacheSeconds }: FillOrder): Promise<Filled> {
  const endpoint = { ...benchEndpoint, cacheSeconds };
  const config = readConfig({});
  const memory = cacheMemory(memoryBudgets(config));
  let made = 0;
  let engineRuns = 0;
  const { columns } = benchEndpoint.plan;
  const rows = () =>
    Array.from({ length: rowCount }, () => {
      const text = `${(made++).toString(36)} ${Math.random()} ${Math.random()}`;
      return [text, BigInt(made), `GET | 200 | ${text}`, 200n];
    });
  const engine = {
    run: async () => {
      engineRuns++;
      return { columns, rows: rowsInMemory(rows()), truncated: false, engineMs: 0 };
    },
    estimate: async () => ({ bytesProcessed: undefined }),
    stream: () => Promise.reject(new Error('the benchmark exports nothing')),
  };
  const executor = localExecutor({ engine, memory, clock: systemClock, settings: config });
  const responses = new ResponseCache({
    ...{ memory, clock: systemClock, meter: noMeter },
    allowances: executor.allowances,
  });
  const { signal } = new AbortController();

  async function ask(index: number): Promise<ExecutorResult> {
    const project = `project-${String(index).padStart(12, '0')}`;
    const call = callOf(endpoint, { project });
    const result = await executor.execute(call, { signal });
    const variant = variantFor([], answerForm(new Map(), undefined), undefined);
    await bodyOf(endpoint.name, new ShownRows(call, result), variant, signal, ownAccount);
    if (result.cachedEntry !== undefined) {
      const key = ` false\nlocalhost:4000\n*/*\nundefined\nundefined\nGET /api/endpoints/query/logs?project=${project}`;
      const cached = cachedBody(endpoint, result.cachedEntry, variant);
      responses.set(key, cached, responses.generation, ownAccount);
    }
    return result;
  }

  async function askMany(first: number, count: number): Promise<void> {
    const sideBySide = 20;
    for (let index = first; index < first + count; index += sideBySide) {
      await Promise.all(Array.from({ length: sideBySide }, (_, offset) => ask(index + offset)));
    }
  }

  // Excludes what is allocated only once from the cache's share.
  await askMany(0, 1_000);
  await executor.invalidate({ endpointId: endpoint.id });
  const before = usedBytes();
  const countedBefore = memory.budget.bytes;
  engineRuns = 0;
  await askMany(1_000, questions);
  const grownBytes = usedBytes() - before;
  const countedBytes = memory.budget.bytes - countedBefore;
  const entries = memory.table.size;
  const runs = engineRuns;
  const again = await ask(999 + questions);
  return {
    entries,
    engineRuns: runs,
    isCached: again.cache.status === 'hit' && (await again.rows.all()).length === rowCount,
    grownBytes,
    countedBytes,
    limitBytes: config.cacheMemoryMb * 1_000_000,
  };
}

function usedBytes(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('garbage can only be told from memory in use with --expose-gc');
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on('message', async (order: FillOrder) => {
    process.send?.(await fill(order));
    process.disconnect();
  });
}
