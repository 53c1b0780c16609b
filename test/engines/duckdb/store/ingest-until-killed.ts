import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';

const script = join(import.meta.dirname, 'ingesting-process.ts');

/** An acknowledged row. */
export interface Acknowledged {
  readonly id: string;
  /** The size of the write-ahead log soon after its commit, in bytes. */
  readonly logBytes: number;
}

/** Ingests in a process of its own, which is killed after so many acknowledgements and milliseconds. */
export async function ingestUntilKilled(
  dataDir: string,
  round: number,
  { acknowledgements, milliseconds }: { readonly acknowledgements: number; readonly milliseconds: number },
): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [script, dataDir, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const acknowledged: Acknowledged[] = [];
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [logBytes, ...ids] = line.split(' ');
    acknowledged.push(...ids.map((id) => ({ id, logBytes: Number(logBytes) })));
    lines += 1;
    if (lines === acknowledgements) setTimeout(() => child.kill('SIGKILL'), milliseconds);
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  return acknowledged;
}
