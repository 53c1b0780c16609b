import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../../src/engines/duckdb/store/open-store.ts';
import { ManualClock } from '../../../../calls/executor/support/manual-clock.ts';
import { batchOf, makeSource, readRows, temporaryFolder } from '../support.ts';

const day = 24 * 3_600_000;
const source = { ...makeSource('logs', { name: 'list', type: 'INT64', mode: 'REPEATED' }), retentionDays: 7 };

/** A store whose time the test moves. */
async function storeIn(dataDir: string, clock: ManualClock) {
  const store = await openStore({ dataDir, sources: [source], memoryLimit: '500MB', threads: 1, clock });
  onTestFinished(() => store.close());
  return {
    store,
    /** Adds rows: their ids, with the days by which they are ahead of the clock. */
    async add(ahead: Readonly<Record<string, number>>) {
      const rows = Object.entries(ahead).map(([id, days]) => {
        const timestamp = new Date(clock.now() + days * day).toISOString();
        return { id, timestamp, list: [] };
      });
      await store.append(source, batchOf(...rows), { origin: 'imported' });
    },
    ids: async () => (await readRows(store, source, 'ORDER BY id')).map(([id]) => id),
    /** Lets retention look, and waits until it has ended. */
    async look(milliseconds = 20_000) {
      await clock.advance(milliseconds);
      await clock.advance(20_000);
      await new Promise((resolve) => setTimeout(resolve, 150));
    },
  };
}

test('rows ahead of the clock are deleted when they have been there for the retention, however often it is opened', async () => {
  const folder = await temporaryFolder();
  const begin = new ManualClock().now();
  const first = await storeIn(folder, new ManualClock(begin));
  await first.add({ now: 0, tomorrow: 0.9, far: 300_000 });
  await first.look();
  expect(await first.ids()).toEqual(['far', 'now', 'tomorrow']);
  await first.store.close();
  const after = async (days: number, ids: readonly string[]) => {
    const later = await storeIn(folder, new ManualClock(begin + days * day));
    await later.look();
    await expect.poll(later.ids).toEqual(ids);
    await later.store.close();
  };
  await after(6.9, ['far', 'now', 'tomorrow']);
  await after(7.1, ['tomorrow']);
  await after(8, []);
});

test('a clock that was behind deletes nothing once it is right', async () => {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const right = await storeIn(folder, clock);
  await right.add({ a: 0 });
  await right.store.close();
  const wrong = await storeIn(folder, new ManualClock(clock.now() - 3650 * day));
  await wrong.look();
  expect(await wrong.ids()).toEqual(['a']);
  await wrong.store.close();
  const again = await storeIn(folder, clock);
  await again.look();
  await again.add({ far: 300_000 });
  await again.look();
  await again.look();
  expect(await again.ids()).toEqual(['a', 'far']);
});
