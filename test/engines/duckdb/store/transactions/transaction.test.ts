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

test('a read of a connection waits for the end of the one before, for which nobody waited', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  const slow = Promise.withResolvers<void>();
  const prepare = connection.prepare.bind(connection);
  connection.prepare = async (sql) => {
    const statement = await prepare(sql);
    if (sql !== 'ROLLBACK') return statement;
    const run = statement.run.bind(statement);
    statement.run = () => slow.promise.then(run);
    return statement;
  };
  const failing = store.read(
    connection,
    () => Promise.reject(new Error('the first')),
    () => {},
  );
  await expect(failing).rejects.toThrow('the first');
  const second = store.read(
    connection,
    async () => 'rows',
    () => {},
  );
  // Time enough to begin, if it didn't wait.
  await connection.run('SELECT 1').catch(() => {});
  slow.resolve();
  expect(await second).toBe('rows');
  expect(await store.derive(connection, async () => 'slices')).toBe('slices');
});
