import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Diagnostic, ProtocolConnection } from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { program } from '../../support/program.ts';
import { ProjectFolder, settings } from './support/editor.ts';

let folder: ProjectFolder;
let server: ChildProcess;
let client: ProtocolConnection;
const errors: unknown[] = [];
const found = new Map<string, readonly Diagnostic[]>();

beforeEach(async () => {
  folder = await ProjectFolder.create({
    '.env': 'ENDPOINTS_DIR=endpoints\n',
    'sources/events.json': '[{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "TIMESTAMP"}]',
    'endpoints/a.sql': `${settings(1)}SELECT nothing FROM logs.events\n`,
  });
  server = spawn(process.execPath, [program, 'lsp', '--stdio'], { cwd: folder.path });
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new Error('no pipes');
  const reader = new StreamMessageReader(stdout);
  reader.onError((error) => errors.push(error));
  client = createProtocolConnection(reader, new StreamMessageWriter(stdin));
  client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    found.set(uri, diagnostics);
  });
  client.listen();
});
afterEach(async () => {
  client.dispose();
  server.kill('SIGKILL');
  await folder.remove();
});

/** The processes of the analyzer that belong to the server. */
async function analyzers(): Promise<number[]> {
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
  const ids = children.trim().split(' ').filter(Boolean).map(Number);
  const programs = await Promise.all(ids.map((id) => readlink(`/proc/${id}/exe`).catch(() => '')));
  return ids.filter((_, index) => programs[index] !== '' && !programs[index]?.endsWith('/node'));
}

test('the command serves an editor, outlives its analyzer, writes messages only, and exits as asked', async () => {
  const exited = once(server, 'exit');
  const rootUri = folder.uri();
  await client.sendRequest('initialize', {
    processId: process.pid,
    rootUri,
    capabilities: {},
    workspaceFolders: null,
  });
  await client.sendNotification('initialized', {});
  const uri = folder.uri('endpoints/a.sql');
  const message = () => found.get(uri)?.[0]?.message ?? '';
  await expect.poll(message).toBe('Unrecognized name: nothing');
  const running = await analyzers();
  expect(running.length).toBeGreaterThan(0);
  for (const id of running) process.kill(id, 'SIGKILL');
  const textDocument = {
    uri,
    languageId: 'sql',
    version: 1,
    text: `${settings(1)}SELECT other FROM logs.events\n`,
  };
  await client.sendNotification('textDocument/didOpen', { textDocument });
  await expect.poll(message).toBe('Unrecognized name: other');
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  expect(await exited).toEqual([0, null]);
  expect(errors).toEqual([]);
});

test('the exit code of the command is 1 if the editor did not ask for a shutdown', async () => {
  const exited = once(server, 'exit');
  await client.sendNotification('exit');
  expect(await exited).toEqual([1, null]);
});

test.each([
  [
    'shuts down and exits',
    async (): Promise<void> => {
      client.sendRequest('shutdown').catch(() => undefined);
      await client.sendNotification('exit');
    },
    0,
  ],
  ['exits', () => client.sendNotification('exit'), 1],
  ['closes its streams', async () => server.stdin?.end(), 1],
  ['leaves within a message', async () => server.stdin?.end('Content-Length: 50\r\n\r\n{}'), 1],
] as const)('an editor that %s while the server starts leaves no process', async (_, leave, code) => {
  const exited = once(server, 'exit');
  const [rootUri, capabilities] = [folder.uri(), {}];
  client.sendRequest('initialize', { processId: process.pid, rootUri, capabilities }).catch(() => undefined);
  await leave();
  expect(await exited).toEqual([code, null]);
});
