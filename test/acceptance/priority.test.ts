import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readServerFile } from '../../src/engines/duckdb/store/file/server-file.ts';
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

/** The priorities of a process's threads. */
function priorities(pid: number): Set<number> {
  return new Set(readdirSync(`/proc/${pid}/task`).map((id) => getPriority(Number(id))));
}

describe.skipIf(process.platform !== 'linux')('while the processor is busy', () => {
  test('the gateway goes before the engine, in whose process queries run', async () => {
    const info = await readServerFile(workspace.environment.DATA_DIR ?? '');
    expect(priorities(info?.storePid ?? Number.NaN)).toEqual(new Set([behind]));
    expect(getPriority(gateway.command.pid)).toBe(getPriority());
  });

  test('and before the thread that plans, which is the only one of its own behind it', () => {
    expect(priorities(gateway.command.pid)).toEqual(new Set([getPriority(), behind]));
  });

  test('and before the analyzers, whoever starts them', async () => {
    const analyzers = await workspace.analyzers();
    expect(analyzers.map(priorities)).toEqual(analyzers.map(() => new Set([behind])));
  });
});
