import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Finding } from '../finding.ts';
import { about, prove, proveIs } from '../proof.ts';
import type { Filled, FillOrder } from './cache-filler.ts';

export interface CacheMemoryOptions {
  /** The number of results to cache, a multiple of 20. */
  readonly answers?: number;
  readonly cacheSeconds?: number;
}

/**
 * Measures the memory that 100,000 results take in their own process, when all fit into the cache and when they don't.
 * Proves that the engine made each result, and that the last one is cached.
 *
 * @throws MeasurementError
 */
export async function measureCacheMemory(options: CacheMemoryOptions): Promise<Finding[]> {
  return [await measureAnswers(1, options), await measureAnswers(20, options)];
}

async function measureAnswers(
  rows: number,
  { answers = 100_000, cacheSeconds = 3_600 }: CacheMemoryOptions,
): Promise<Finding> {
  const what = `memory for ${answers.toLocaleString('en')} answers of ${rows} rows`;
  const filled = await fill({ questions: answers, rows, cacheSeconds });
  await about(what, async () => proveFilled(filled, answers));
  const { entries, grownBytes, countedBytes, limitBytes } = filled;
  return {
    part: 'cache',
    what,
    detail: `holds ${entries.toLocaleString('en')}, counts them as ${megabytes(countedBytes)}`,
    result: megabytes(grownBytes),
    target: `<= ${megabytes(limitBytes)}`,
    isMet: grownBytes <= limitBytes,
  };
}

async function fill(order: FillOrder): Promise<Filled> {
  const filler = fork(new URL('./cache-filler.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  const failed = once(filler, 'exit').then(([code]) => {
    throw new Error(`the process that fills the memory ended with exit code ${code}`);
  });
  filler.send(order);
  const [filled] = (await Promise.race([once(filler, 'message'), failed])) as [Filled];
  failed.catch(() => {});
  return filled;
}

/** All results are cached, or as many as fit by the cache's own estimate. */
function proveFilled(
  { entries, engineRuns, isCached, countedBytes, grownBytes, limitBytes }: Filled,
  answers: number,
) {
  proveIs(engineRuns, answers, 'engine runs');
  prove(isCached, 'the last answer is not held');
  const isFull = countedBytes > limitBytes * 0.9;
  prove(entries === answers || isFull, `${entries} of ${answers} answers are held, though there is room`);
  prove(grownBytes > 0 && countedBytes > 0, 'the answers take no memory');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
