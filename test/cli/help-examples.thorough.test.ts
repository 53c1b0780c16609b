import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { splitLine } from '../../src/cli/completion/complete.ts';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { commands, examplesOf, helpOf } from '../docs/cli-text.ts';
import { inProcess } from './support/in-process.ts';

const before = process.cwd();
let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const row = { ...edgeRow('2026-11-20T08:00:00Z', 'fjrqomtzlwkgbxhvnuea', '/rest/v1'), id: 'a' };
  await workspace.writeRows('rows.ndjson', [row]);
  await writeFile(workspace.path('more.csv.gz'), gzipSync('id,timestamp\nb,2026-11-20T09:00:00Z\n'));
  process.chdir(workspace.root);
});
afterAll(async () => {
  process.chdir(before);
  await workspace?.remove();
});

/** They run until they are stopped, need BigQuery or a gateway, or make what another example has made. */
const others =
  /^endpoint-gateway (?:serve|demo|mcp|health|dev|lsp|init|diff|sources pull|new source orders --from|.*(?:--server|--watch|--engine))/;

/** Examples that need what others make come after them. */
const later = [
  'new endpoint',
  'check',
  'test',
  'import',
  'run',
  'export',
  'backup',
  'restore',
  'doctor',
  'rows',
  'keys revoke',
];

test('the examples in the help run', { timeout: 600_000 }, async () => {
  const calls = commands()
    .flatMap((command) => examplesOf(helpOf(command)))
    .filter((call) => !others.test(call));
  expect(calls.length).toBeGreaterThan(15);
  const place = (call: string) =>
    later.findLastIndex((start) => call.startsWith(`endpoint-gateway ${start}`));
  for (const call of calls.toSorted((a, b) => place(a) - place(b))) {
    const [line = ''] = call.split(/ [|>] /);
    const [, name = '', ...args] = splitLine(line);
    const yes = name === 'rows' && !args.includes('--dry-run') ? ['--yes'] : [];
    const environment = {
      ...workspace.environment,
      DATA_DIR: workspace.path(name === 'restore' ? 'restored' : 'data'),
      JWT_SECRET: 'a secret of at least thirty-two characters',
    };
    const { code, stderr } = await inProcess([name, ...args, ...yes], environment);
    expect({ call, code, stderr }).toMatchObject({ call, code: 0 });
  }
});
