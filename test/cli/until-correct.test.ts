import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemsError } from '../../src/app/schema/load-schema.ts';
import { untilCorrect } from '../../src/cli/dev/until-correct.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'until-correct-'));
});
afterAll(() => rm(folder, { recursive: true }));

const wrong = new ProblemsError([{ file: 'a.sql', line: 1, column: 1, text: 'wrong' }]);

test('it tries again when a file changes, and not before', async () => {
  const outcomes = [() => Promise.reject(wrong), () => Promise.resolve('served')];
  const told: Error[] = [];
  const outcome = untilCorrect(() => outcomes.shift()?.() ?? Promise.reject(new Error('once more')), {
    folders: [folder],
    stop: new AbortController().signal,
    onProblems: (error) => void told.push(error),
  });
  await expect.poll(() => told).toEqual([wrong]);
  await setImmediate();
  expect(outcomes).toHaveLength(1);
  await writeFile(join(folder, 'a.sql'), 'SELECT 1');
  expect(await outcome).toBe('served');
  expect(told).toEqual([wrong]);
});

test('the wait ends with the signal, and other errors are not waited for', async () => {
  const stop = new AbortController();
  const waiting = { folders: [folder], stop: stop.signal, onProblems: () => stop.abort() };
  await expect(untilCorrect(() => Promise.reject(wrong), waiting)).rejects.toBe(wrong);
  const other = new Error('no port');
  const onProblems = () => expect.unreachable();
  await expect(
    untilCorrect(() => Promise.reject(other), {
      ...{ folders: [folder], stop: new AbortController().signal, onProblems },
    }),
  ).rejects.toBe(other);
});
