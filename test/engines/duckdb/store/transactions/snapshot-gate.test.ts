import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SnapshotGate } from '../../../../../src/engines/duckdb/store/transactions/snapshot-gate.ts';

const nothing = async () => undefined;

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
      }, nothing);
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

test('a commit without readers waits for those that read, keeps new ones away, and gives up in time', async () => {
  const gate = new SnapshotGate();
  const ended = await gate.begin(nothing, nothing);
  const done: string[] = [];
  const commit = async () => void done.push('commit');
  expect(await gate.commitAlone(commit, Promise.resolve())).toBe(false);
  expect(done).toEqual([]);
  const committed = gate.commitAlone(commit, new Promise(() => undefined));
  const begun = gate.begin(async () => void done.push('begin'), nothing);
  await setImmediate();
  expect(done).toEqual([]);
  ended();
  expect(await committed).toBe(true);
  await begun;
  expect(done).toEqual(['commit', 'begin']);
});

test('readers wait for a commit that only adds rows no longer than is said', async () => {
  const gate = new SnapshotGate();
  const [longest, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done: string[] = [];
  const commit = gate.commitRows(() => committed.promise.then(() => void done.push('commit')), {
    longest: () => longest.promise,
    moment: nothing,
  });
  const begun = gate.begin(async () => void done.push('begin'), nothing);
  await setImmediate();
  expect(done).toEqual([]);
  longest.resolve();
  await begun;
  expect(done).toEqual(['begin']);
  committed.resolve();
  await commit;
  expect(done).toEqual(['begin', 'commit']);
  const failing = gate.commitRows(
    async () => {
      throw new Error('the disk is full');
    },
    { longest: () => new Promise(() => undefined), moment: nothing },
  );
  await expect(failing).rejects.toThrow('the disk is full');
  await gate.begin(async () => void done.push('next'), nothing);
  expect(done.at(-1)).toBe('next');
});

test('a reader begins anew if a commit ends that it has not waited for', async () => {
  const gate = new SnapshotGate();
  const committed = Promise.withResolvers<void>();
  const done: string[] = [];
  const commit = gate.commitRows(() => committed.promise, {
    longest: nothing,
    moment: () => new Promise(() => undefined),
  });
  await setImmediate();
  const begun = gate.begin(
    async () => void done.push('begin'),
    async () => void done.push('undo'),
  );
  await setImmediate();
  expect(done).toEqual(['begin']);
  committed.resolve();
  await Promise.all([begun, commit]);
  expect(done).toEqual(['begin', 'undo', 'begin']);
});
