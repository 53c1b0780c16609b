import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { optionNames } from '../../src/tools/language-server/workspace-config.ts';
import { blocksOf, quoted, tableRows } from './markdown.ts';

const file = 'docs/editors.md';

test('the options of clients are those that the server reads', async () => {
  const named = (await tableRows(file, 'Option')).map(([cell = '']) => quoted(cell));
  expect(named).toEqual(optionNames);
});

test('the schemas that the page names are there', async () => {
  const text = await readFile(file, 'utf8');
  const named = [...text.matchAll(/schema\/json\/[\w-]+\.schema\.json/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
});

test("VS Code's extension starts the server of the project that has endpoints", async () => {
  const [manifest = ''] = await blocksOf(file, 'json');
  const [script = ''] = await blocksOf(file, 'js');
  expect(JSON.parse(manifest)).toMatchObject({
    main: 'extension.js',
    activationEvents: ['workspaceContains:endpoints/*.sql'],
  });
  const started: unknown[] = [];
  class LanguageClient {
    constructor(...parts: unknown[]) {
      started.push(...parts);
    }
    start() {}
    stop() {
      return 'stopped';
    }
  }
  const folder = { uri: { fsPath: '/project' } };
  const workspace = {
    findFiles: async () => ['/project/endpoints/a.sql'],
    getWorkspaceFolder: () => folder,
  };
  const modules: Readonly<Record<string, unknown>> = {
    'node:path': await import('node:path'),
    vscode: { workspace },
    'vscode-languageclient/node': { LanguageClient },
  };
  const exports: { activate?: () => Promise<void>; deactivate?: () => unknown } = {};
  runInNewContext(script, { exports, require: (name: string) => modules[name] });
  expect(exports.deactivate?.()).toBeUndefined();
  await exports.activate?.();
  expect(started).toMatchObject([
    'endpoint-gateway',
    { command: '/project/node_modules/.bin/endpoint-gateway', args: ['lsp'], options: { cwd: '/project' } },
    {
      documentSelector: [{ language: 'sql' }, { language: 'json' }, { language: 'yaml' }],
      workspaceFolder: folder,
    },
  ]);
  expect(exports.deactivate?.()).toBe('stopped');
});

test('Neovim starts the same command', async () => {
  const blocks = await blocksOf(file, 'lua');
  expect(blocks).toHaveLength(2);
  for (const block of blocks)
    expect(block).toContain("cmd = { 'node_modules/.bin/endpoint-gateway', 'lsp' }");
});
