import { afterEach, beforeEach, expect, test } from 'vitest';
import { ResponseError } from 'vscode-languageserver-protocol';
import { Editor, ProjectFolder, settings } from './support/editor.ts';

let folder: ProjectFolder;
let editor: Editor;
beforeEach(async () => {
  folder = await ProjectFolder.create({
    'sources/events.json': '[{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "TIMESTAMP"}]',
    'endpoints/a.sql': `${settings(1)}SELECT nothing FROM logs.events\n`,
  });
  editor = new Editor(folder);
});
afterEach(async () => {
  editor.input.destroy();
  await editor.exitCode;
  await folder.remove();
});

/** The code and message of the error that a request is answered with. */
async function refusal(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ResponseError ? `${error.code} ${error.message}` : `no error: ${error}`;
}

test('requests before initialize and after shutdown are refused, and the exit tells whether there was a shutdown', async () => {
  const symbols = () =>
    editor.client.sendRequest('textDocument/documentSymbol', { textDocument: { uri: folder.uri() } });
  expect(await refusal(symbols())).toBe('-32002 the first request must be initialize');
  await editor.write('endpoints/a.sql', 'ignored');
  const { serverInfo, capabilities } = await editor.start();
  expect(serverInfo?.name).toBe('endpoint-gateway');
  expect(capabilities).toMatchObject({ hoverProvider: true, textDocumentSync: { change: 2 } });
  expect(await refusal(editor.client.sendRequest('initialize', {}))).toMatch(/^-32600 .*already/);
  await editor.expectProblems('endpoints/a.sql', [expect.stringContaining('nothing')]);
  await editor.client.sendRequest('shutdown');
  expect(await refusal(symbols())).toBe('-32600 the server has been shut down');
  await editor.client.sendNotification('exit');
  expect(await editor.exitCode).toBe(0);
});

test('an exit without a shutdown, and an input that ends, are failures', async () => {
  await editor.client.sendNotification('exit');
  expect(await editor.exitCode).toBe(1);
  const other = new Editor(folder);
  await other.start();
  other.input.end();
  expect(await other.exitCode).toBe(1);
});

test('what is no message is answered by an error, and the next message is read', async () => {
  const answers: string[] = [];
  editor.output.on('data', (bytes) => answers.push(String(bytes)));
  const send = (body: string) =>
    editor.input.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  editor.input.write('Content-Type: nonsense\r\n\r\n');
  for (const body of ['{', 'null', '42', '[]', '{}', '{"jsonrpc": "2.0", "id": {}, "method": 7}']) send(body);
  await expect.poll(() => answers.join('').match(/-32700/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
  await editor.start();
  await editor.client.sendNotification('textDocument/didChange', { wrong: true });
  expect(await refusal(editor.client.sendRequest('textDocument/hover', { position: 'x' }))).toMatch(
    /^-32\d+ /,
  );
  await editor.expectProblems('endpoints/a.sql', [expect.stringContaining('nothing')]);
  expect(await editor.stop()).toBe(0);
});

test('the settings are those of the folder, and options of the client take precedence', async () => {
  await folder.write('.env', 'ENDPOINTS_DIR=queries\nSOURCES_DIR=sources\n');
  await folder.write('queries/b.sql', `${settings(2)}SELECT wrong FROM logs.events\n`);
  await editor.start();
  await editor.expectProblems('queries/b.sql', [expect.stringContaining('wrong')]);
  const other = new Editor(folder);
  await other.start({ initializationOptions: { endpointsDir: 'endpoints' } });
  await other.expectProblems('endpoints/a.sql', [expect.stringContaining('nothing')]);
  expect(await other.stop()).toBe(0);
});

test('settings that cannot be used are the answer to initialize', async () => {
  const bad = new Editor(folder, { ENGINE: 'oracle' });
  expect(await refusal(bad.start())).toMatch(/ENGINE: expected duckdb or bigquery/);
  bad.input.end();
  expect(await bad.exitCode).toBe(1);
  expect(await refusal(editor.start({ initializationOptions: { endpoints: 'x' } }))).toMatch(
    /initializationOptions: Unrecognized key: "endpoints"/,
  );
});

test('a folder without endpoints is a message, since it is in no file', async () => {
  const empty = await ProjectFolder.create({ 'endpoints/.keep': '', 'sources/.keep': '' });
  const other = new Editor(empty);
  await other.start();
  await expect.poll(() => other.messages.join()).toContain('No endpoints: this folder');
  expect(await other.stop()).toBe(0);
  await empty.remove();
});

test('a setting in the file of variables that ENV_FILE names is refused with its place', async () => {
  await folder.write('settings.env', '# engine\nENGINE=oracle\n');
  const other = new Editor(folder, { ENV_FILE: 'settings.env' });
  expect(await refusal(other.start())).toContain('settings.env:2: ENGINE: expected duckdb or bigquery');
  other.input.end();
  await other.exitCode;
});
