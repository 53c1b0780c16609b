import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Finding } from '../finding.ts';
import type { Filled } from './cache-filler.ts';

const questions = 100_000;

/** What 100,000 answers take in a process of their own: such as all have room, and such as have not. */
export async function measureCacheMemory(): Promise<Finding[]> {
  return [await measureAnswers(1), await measureAnswers(20)];
}

async function measureAnswers(rows: number): Promise<Finding> {
  const args = [String(questions), String(rows)];
  const filler = fork(new URL('./cache-filler.ts', import.meta.url), args, { execArgv: ['--expose-gc'] });
  const [filled] = (await once(filler, 'message')) as [Filled];
  const { entries, grownBytes, countedBytes, limitBytes } = filled;
  return {
    part: 'cache',
    what: `memory for ${questions.toLocaleString('en')} answers of ${rows} rows`,
    detail: `holds ${entries.toLocaleString('en')}, counts them as ${megabytes(countedBytes)}`,
    result: megabytes(grownBytes),
    target: `<= ${megabytes(limitBytes)}`,
    isMet: grownBytes <= limitBytes,
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
