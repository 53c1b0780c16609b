import { expect, onTestFinished, test } from 'vitest';
import { installMacros } from '../../../../src/engines/duckdb/macros/install.ts';
import { fileSpace } from '../../../../src/engines/duckdb/store/upkeep/file-space.ts';
import { batchOf, makeSource, openTestStore, temporaryFolder } from './support.ts';

test('the store tells what each source has', async () => {
  const m = { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'a', type: 'STRING' }] };
  const [full, empty] = [makeSource('full', m), makeSource('empty', m)];
  const folder = await temporaryFolder();
  const store = await openTestStore(folder, full, empty);
  const rows = [
    { id: '1', timestamp: '1970-01-01T00:00:01Z', m: [{ a: 'x' }] },
    { id: '2', timestamp: '1970-01-01T00:00:03Z', m: [{ a: 'y' }, { a: 'z' }] },
  ];
  await store.append(full, batchOf(...rows), { origin: 'imported' });
  await store.close();
  const reopened = await openTestStore(folder, full, empty);
  onTestFinished(() => reopened.close());
  const [state, none] = await reopened.sourceStates();
  expect(state).toMatchObject({ source: 'full', rows: 2, oldest: 1_000_000n, newest: 3_000_000n });
  expect(state?.bytes).toBeGreaterThan(0);
  expect(none).toEqual({ source: 'empty', rows: 0, bytes: 0, oldest: undefined, newest: undefined });
});

test('sources share the size of the file by their rows, whatever other databases the engine has', async () => {
  const [large, small] = [makeSource('large'), makeSource('small')];
  const folder = await temporaryFolder();
  const store = await openTestStore(folder, large, small);
  const row = (id: string) => ({ id, timestamp: '1970-01-01T00:00:01Z' });
  await store.append(large, batchOf(row('1'), row('2'), row('3')), { origin: 'imported' });
  await store.append(small, batchOf(row('4')), { origin: 'imported' });
  await store.close();
  const reopened = await openTestStore(folder, large, small);
  onTestFinished(() => reopened.close());
  const connection = await reopened.connect();
  onTestFinished(() => connection.closeSync());
  const { usedBytes } = await fileSpace(connection);
  expect(usedBytes).toBeGreaterThan(0);
  await installMacros(connection);
  expect(await fileSpace(connection)).toMatchObject({ usedBytes });
  const states = await reopened.sourceStates();
  expect(states.map(({ bytes }) => bytes)).toEqual([usedBytes * 0.75, usedBytes * 0.25]);
});
