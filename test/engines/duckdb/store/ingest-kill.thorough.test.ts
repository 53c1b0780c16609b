import { expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { ingestUntilKilled } from './ingest-until-killed.ts';
import { ingestedSources } from './ingesting-process.ts';
import { openTestStore, readRows, temporaryFolder } from './support.ts';

test('a process that is killed at any moment has every acknowledged row once, and nothing twice', async () => {
  const dataDir = await temporaryFolder();
  const acknowledged: string[] = [];
  const rounds = 4 * effort;
  for (let round = 0; round < rounds; round++) {
    const moment = {
      acknowledgements: 1 + Math.floor(Math.random() * 1000),
      milliseconds: Math.random() * 150,
    };
    const added = await ingestUntilKilled(dataDir, round, moment);
    acknowledged.push(...added.map(({ id }) => id));
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
