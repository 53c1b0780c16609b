import { expect, onTestFinished, test } from 'vitest';
import { batchOf, makeSource, openTestStore, temporaryFolder } from '../support.ts';

const source = makeSource('s');
const rows = (id: string) => batchOf({ id, timestamp: '2024-01-01T00:00:00Z' });

test('a read sees what was committed when it began, even if it reads later', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  await store.append(source, rows('a'), { origin: 'imported' });
  const ids = () =>
    store.read(connection, async () => {
      await store.append(source, rows('b'), { origin: 'imported' });
      return (await connection.runAndReadAll('SELECT id FROM flat.s ORDER BY id')).getRows();
    });
  expect(await ids()).toEqual([['a']]);
  expect(await ids()).toEqual([['a'], ['b']]);
});
