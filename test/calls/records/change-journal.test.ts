import { access, appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { journalChange, takeJournal } from '../../../src/calls/records/change-journal.ts';
import type { RecordRow } from '../../../src/calls/records/record-writer.ts';

async function journal() {
  const dataDir = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const warnings: string[] = [];
  const parts = { dataDir, log: { warn: (text: string) => void warnings.push(text) } };
  const file = join(dataDir, 'changes.ndjson');
  const take = async () => {
    const rows: RecordRow[] = [];
    const stored: (() => void)[] = [];
    await takeJournal(parts, (row, whenStored) => {
      rows.push(row);
      stored.push(whenStored);
    });
    return { rows, stored };
  };
  const exists = () =>
    access(file).then(
      () => true,
      () => false,
    );
  return { parts, file, warnings, take, exists };
}

test('what commands have done is recorded later, with its time, until all of it is stored', async () => {
  const { parts, take, exists, warnings } = await journal();
  expect((await take()).rows).toEqual([]);
  const [first, second] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];
  await journalChange(parts, { action: 'rows.deleted', target: 'app', details: { rows: 3 } }, first);
  await journalChange(parts, { action: 'store.restored' }, second);
  const before = await take();
  expect(before.rows).toEqual([
    {
      ...{ id: expect.any(String), timestamp: '2026-01-01T00:00:00.000Z' },
      ...{ action: 'rows.deleted', target: 'app', details: { rows: 3 } },
    },
    { id: expect.any(String), timestamp: '2026-01-02T00:00:00.000Z', action: 'store.restored' },
  ]);
  before.stored[0]?.();
  // A gateway that has ended before all was stored: the next one has the same rows.
  const again = await take();
  expect(again.rows).toEqual(before.rows);
  for (const isStored of again.stored) isStored();
  await expect.poll(exists).toBe(false);
  expect(warnings).toEqual([]);
});

test('what is no change is warned of, and so is a change that cannot be noted', async () => {
  const { parts, file, take, warnings } = await journal();
  await appendFile(file, 'no change\n');
  await journalChange(parts, { action: 'store.restored' });
  expect((await take()).rows).toMatchObject([{ action: 'store.restored' }]);
  await journalChange({ ...parts, dataDir: join(file, 'x') }, { action: 'store.restored' });
  expect(warnings).toEqual([
    expect.stringContaining('some lines are no changes'),
    expect.stringContaining('This change is not recorded in gateway.changes'),
  ]);
});
