import { expect, onTestFinished, test } from 'vitest';
import { makeSource, openTestStore, temporaryFolder } from '../support.ts';

test('the newest rows are not found by a join, which would read the columns of all', async () => {
  const store = await openTestStore(
    await temporaryFolder(),
    makeSource('s', { name: 'text', type: 'STRING' }),
  );
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  const newest = `SELECT * FROM flat.s WHERE text = 'a' ORDER BY "timestamp" DESC LIMIT 5`;
  const plan = await connection.runAndReadAll(`EXPLAIN ${newest}`);
  expect(String(plan.getRows())).toContain('TOP_N');
  expect(String(plan.getRows())).not.toContain('JOIN');
});
