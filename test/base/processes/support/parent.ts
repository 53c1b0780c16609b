/**
 * A process that starts a child and says which, for tests. As the first process of a container it also ends children in several
 * ways, and says what is left of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Child } from '../../../../src/base/processes/child.ts';
import { makePrivateFolder } from '../../../../src/base/processes/private-folder.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';

async function start(): Promise<{ child: Child; folder: string }> {
  const folder = await makePrivateFolder('test');
  const program = { name: 'A test', command: '/bin/sleep', args: ['1000'] };
  return { child: await Child.start(program, folder, systemClock), folder };
}

/** Processes besides this one, whether they run or wait to be reaped. */
function others(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.map((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

if (process.pid === 1) {
  const { child: ended } = await start();
  await ended.end('the test ends it');
  const { child: killed } = await start();
  process.kill(killed.pid, 'SIGKILL');
  await killed.exited;
  console.log(JSON.stringify(others()));
} else {
  const { child, folder } = await start();
  console.log(JSON.stringify({ pid: child.pid, folder }));
}
