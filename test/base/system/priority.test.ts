import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { lowerSession } from '../../../src/base/system/priority.ts';

test.skipIf(!existsSync('/proc/self/autogroup'))(
  'a process that leads a session goes behind this one, and so does its session',
  async () => {
    const leader = spawn('sleep', ['10'], { detached: true, stdio: 'ignore' });
    await once(leader, 'spawn');
    const { pid = Number.NaN } = leader;
    try {
      lowerSession(pid);
      const lower = Math.min(getPriority() + 5, 19);
      expect(getPriority(pid)).toBe(lower);
      expect(readFileSync(`/proc/${pid}/autogroup`, 'utf8')).toMatch(new RegExp(` nice ${lower}$`, 'm'));
    } finally {
      leader.kill();
    }
  },
);

test('nobody is there any more: nothing happens', () => {
  expect(() => lowerSession(2 ** 30)).not.toThrow();
});
