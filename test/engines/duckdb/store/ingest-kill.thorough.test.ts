import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { ingestedSources } from './ingesting-process.ts';
import { openTestStore, readRows, temporaryFolder } from './support.ts';

const script = join(import.meta.dirname, 'ingesting-process.ts');

/** Ingests in a process of its own, which is killed after so many acknowledgements and milliseconds. Returns the acknowledged ids. */
async function ingestUntilKilled(
  dataDir: string,
  round: number,
  { acknowledgements, milliseconds }: { readonly acknowledgements: number; readonly milliseconds: number },
): Promise<string[]> {
  const child = spawn(process.execPath, [script, dataDir, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const acknowledged: string[] = [];
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(...line.split(' '));
    lines += 1;
    if (lines === acknowledgements) setTimeout(() => child.kill('SIGKILL'), milliseconds);
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

test('a process that is killed at any moment has every acknowledged row once, and nothing twice', async () => {
  const dataDir = await temporaryFolder();
  const acknowledged: string[] = [];
  const rounds = 4 * effort;
  for (let round = 0; round < rounds; round++) {
    const moment = {
      acknowledgements: 1 + Math.floor(Math.random() * 1000),
      milliseconds: Math.random() * 150,
    };
    acknowledged.push(...(await ingestUntilKilled(dataDir, round, moment)));
    const store = await openTestStore(dataDir, ...ingestedSources);
    const stored: unknown[] = [];
    for (const source of ingestedSources) stored.push(...(await readRows(store, source)).map(([id]) => id));
    await store.close();
    const once = new Set(stored);
    expect(once.size, JSON.stringify(moment)).toBe(stored.length);
    expect(
      acknowledged.filter((id) => !once.has(id)),
      JSON.stringify(moment),
    ).toEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThan(rounds);
});
