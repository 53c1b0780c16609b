import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes on whose command line the text stands. */
export async function processesNaming(text: string): Promise<RunningProcess[]> {
  const all = existsSync('/proc/self/cmdline') ? await listProc() : await listPs();
  return all.filter(({ command }) => command.includes(text));
}

async function listProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      // It may have ended since.
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
}

async function listPs(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,command=']);
  return [...stdout.matchAll(/^ *(\d+) +(.*)$/gm)].map(([, pid, command = '']) => ({
    pid: Number(pid),
    command,
  }));
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills the process, unless it has ended already. */
export function endProcess(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** Waits until the question is answered with yes. */
export async function eventually(what: string, ask: () => Promise<boolean> | boolean, seconds = 60) {
  const end = performance.now() + seconds * 1000;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
