import { readdir, readFile } from 'node:fs/promises';
import { prove } from '../../proof.ts';
import { type ProcessName, processNames } from './memory-data.ts';

export type ProcessBytes = Readonly<Record<ProcessName, number>>;

/**
 * The memory of a gateway's processes, in bytes: Linux's `Pss`, in which shared memory counts once.
 *
 * @param pid that of the gateway
 * @throws MeasurementError if the gateway or its engine isn't there
 */
export async function processBytes(pid: number): Promise<ProcessBytes> {
  const bytes: Record<ProcessName, number> = { gateway: 0, engine: 0, analyzer: 0, watchers: 0 };
  for (const [name, found] of await bytesBelow(pid, true)) bytes[name] += found;
  for (const name of processNames.slice(0, 3)) prove(bytes[name] > 0, `no memory of the ${name} was found`);
  return bytes;
}

async function bytesBelow(pid: number, isGateway = false): Promise<[ProcessName, number][]> {
  try {
    const [map, command, threads] = await Promise.all([
      readFile(`/proc/${pid}/smaps_rollup`, 'latin1'),
      readFile(`/proc/${pid}/cmdline`, 'latin1'),
      readdir(`/proc/${pid}/task`),
    ]);
    const own = Number(/^Pss:\s+(\d+) kB$/m.exec(map)?.[1] ?? 0) * 1024;
    const children = await Promise.all(
      // Threads may end meanwhile.
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
    );
    const pids = children.join(' ').split(' ').filter(Boolean).map(Number);
    const below = await Promise.all(pids.map((child) => bytesBelow(child)));
    return [[isGateway ? 'gateway' : nameOf(command), own], ...below.flat()];
  } catch (error) {
    // It has ended meanwhile.
    if (!isGateway) return [];
    throw error;
  }
}

function nameOf(command: string): ProcessName {
  if (command.includes('engine-process')) return 'engine';
  // Shells that end the others when the gateway is killed. Their command contains the analyzer's folder.
  if (command.startsWith('/bin/sh')) return 'watchers';
  return command.includes('remote_server') ? 'analyzer' : 'watchers';
}
