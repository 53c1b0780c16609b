import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop('SIGTERM');
  await workspace?.remove();
});

const behind = Math.min(getPriority() + 5, 19);

/** The priorities of a process's threads with such names. */
function priorities(pid: number, isMeant: (name: string) => boolean): Set<number> {
  const ids = readdirSync(`/proc/${pid}/task`).filter((id) =>
    isMeant(readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim()),
  );
  return new Set(ids.map((id) => getPriority(Number(id))));
}

describe.skipIf(process.platform !== 'linux')('while the processor is busy', () => {
  test('the event loop goes before the threads that queries run on', () => {
    expect(priorities(gateway.command.pid, (name) => name === 'libuv-worker')).toEqual(new Set([behind]));
    expect(getPriority(gateway.command.pid)).toBe(getPriority());
  });

  test('and before the analyzer', async () => {
    const [analyzer = Number.NaN] = await workspace.analyzers();
    expect(priorities(analyzer, () => true)).toEqual(new Set([behind]));
  });
});
