import { cp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { type Acknowledged, ingestUntilKilled } from './ingest-until-killed.ts';
import { ingestedSources } from './ingesting-process.ts';
import { openTestStore, readRows, temporaryFolder } from './support.ts';

const log = 'store.duckdb.wal';
const randomBelow = (limit: number) => Math.floor(Math.random() * limit);

/** All ids in a copy of a store whose log is changed. */
async function idsAfter(killed: string, change: (bytes: Buffer) => Buffer): Promise<ReadonlySet<unknown>> {
  const copy = `${killed}-copy`;
  await cp(killed, copy, { recursive: true });
  try {
    await writeFile(join(copy, log), change(await readFile(join(copy, log))));
    const store = await openTestStore(copy, ...ingestedSources);
    const ids = new Set<unknown>();
    for (const source of ingestedSources) for (const [id] of await readRows(store, source)) ids.add(id);
    await store.close();
    return ids;
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** A folder whose store was killed while a log had commits, and no checkpoint ran. */
async function killedWithLog(
  round: number,
): Promise<{ folder: string; acknowledged: readonly Acknowledged[] }> {
  for (;;) {
    const folder = join(await temporaryFolder(), 'killed');
    const moment = { acknowledgements: 50 + randomBelow(400), milliseconds: randomBelow(150) };
    const acknowledged = await ingestUntilKilled(folder, round, moment);
    const size = await stat(join(folder, log)).then(
      ({ size }) => size,
      () => 0,
    );
    const isCheckpointing = await stat(join(folder, `${log}.checkpoint`)).then(
      () => true,
      () => false,
    );
    if (size > 10_000 && !isCheckpointing) return { folder, acknowledged };
  }
}

test('a killed store whose log is cut or ends with zeros at any place has what was acknowledged', {
  timeout: 600_000,
}, async () => {
  for (let round = 0; round < 2 * effort; round++) {
    const { folder, acknowledged } = await killedWithLog(round);
    const { size } = await stat(join(folder, log));
    for (let n = 0; n < 20; n++) {
      const place = n < 5 ? size : randomBelow(size + 1);
      const zeros = n % 2 === 0 ? 1 + randomBelow(200_000) : 0;
      const ids = await idsAfter(folder, (bytes) =>
        Buffer.concat([bytes.subarray(0, place), Buffer.alloc(zeros)]),
      );
      const missing = acknowledged.filter(({ id, logBytes }) => logBytes <= place && !ids.has(id));
      expect(missing, `${place} of ${size} bytes, then ${zeros} zeros`).toEqual([]);
    }
  }
});

test('a changed byte in the log of a killed store is never passed over', { timeout: 600_000 }, async () => {
  const { folder, acknowledged } = await killedWithLog(1000);
  const { size } = await stat(join(folder, log));
  // What follows may not have been acknowledged.
  const end = Math.min(
    size,
    Math.max(...acknowledged.map(({ logBytes }) => (logBytes <= size ? logBytes : 0))),
  );
  for (let n = 0; n < 40 * effort; n++) {
    const place = randomBelow(end);
    const change = (bytes: Buffer) => {
      bytes[place] = (bytes[place] ?? 0) ^ (1 + randomBelow(255));
      return bytes;
    };
    await expect(idsAfter(folder, change), `byte ${place}`).rejects.toThrow(
      /`endpoint-gateway doctor --repair`/,
    );
  }
});
