import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SnapshotGate } from '../../../../src/engines/duckdb/store/snapshot-gate.ts';

test('no reader begins during a commit, and no commit runs while one begins', async () => {
  const gate = new SnapshotGate();
  let beginning = 0;
  let committing = 0;
  let begun = 0;
  const reader = async () => {
    for (let i = 0; i < 50; i++) {
      await gate.begin(async () => {
        beginning += 1;
        expect(committing).toBe(0);
        await setImmediate();
        expect(committing).toBe(0);
        beginning -= 1;
        begun += 1;
      });
    }
  };
  const writer = async () => {
    for (let i = 0; i < 50; i++) {
      const commit = gate.commit(async () => {
        committing += 1;
        expect(beginning).toBe(0);
        await setImmediate();
        committing -= 1;
        if (i % 7 === 0) throw new Error('the disk is full');
      });
      if (i % 7 === 0) await expect(commit).rejects.toThrow('the disk is full');
      else await commit;
    }
  };
  await Promise.all([reader(), reader(), writer(), reader()]);
  expect(begun).toBe(150);
});
