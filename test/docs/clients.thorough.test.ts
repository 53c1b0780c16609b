import { spawnSync } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { isWithoutChromium, newContext } from '../support/chromium.ts';
import { portOf } from '../support/redis.ts';

const project = 'fjrqomtzlwkgbxhvnuea';
const text = await readFile('docs/clients.md', 'utf8');
const secret = 'a secret of more than thirty-two characters';
/** That of the system, for which its packages are. */
const python = '/usr/bin/python3';
const isWithoutPandas = spawnSync(python, ['-c', 'import pandas']).status !== 0 && process.env.CI !== 'true';

/** A request as Relay's compiler writes it. */
const relayRequest = (kind: 'query' | 'subscription') => `
const args = [
  { kind: 'Literal', name: 'interval', value: 'HOURLY' },
  { kind: 'Literal', name: 'project', value: '${project}' },
];
const fields = ['timestamp', 'totalRestRequests'].map((name) => ({
  kind: 'ScalarField', name, alias: null, args: null, storageKey: null,
}));
const selections = [{
  kind: 'LinkedField', name: 'usageApiCounts', alias: null, args, storageKey: null,
  concreteType: 'UsageApiCountsRow', plural: true, selections: fields,
}];
const text = '${kind} Counts { usageApiCounts(interval: HOURLY, project: "${project}") { timestamp totalRestRequests } }';
const operation = { kind: 'Operation', name: 'Counts', argumentDefinitions: [], selections };
const type = '${kind === 'query' ? 'Query' : 'Subscription'}';
const fragment = { ...operation, kind: 'Fragment', type, abstractKey: null, metadata: null };
const params = { id: null, cacheID: 'counts', name: 'Counts', operationKind: '${kind}', metadata: {}, text };
const request = { kind: 'Request', fragment, operation, params };
`;

const relayCall = `
import { load } from './environment.js';
${relayRequest('query')}
const data = await load(request, {});
console.log(JSON.stringify(data.usageApiCounts));
`;

const relaySubscription = `
import { requestSubscription } from 'relay-runtime';
import { environment } from './environment.js';
${relayRequest('subscription')}
const watching = requestSubscription(environment, {
  subscription: request,
  variables: {},
  onNext(data) {
    console.log(JSON.stringify(data.usageApiCounts));
    watching.dispose();
  },
});
`;

let workspace: Workspace;
let gateway: Gateway;

/** The code of a recipe, for the gateway of the test. */
function recipe(heading: string, language: string): string {
  const [, section = ''] = new RegExp(`^## ${heading}\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(text) ?? [];
  const [, code] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section) ?? [];
  if (code === undefined) throw new Error(`there is no ${language} in ${heading}`);
  return code.replaceAll('http://127.0.0.1:4000', gateway.url);
}

/** Runs a command in the workspace, and returns what it printed. */
function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: workspace.root,
    env: { ...process.env, KEY: 'a-key', PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const now = Date.now();
  const rows = [1, 2, 3].map((minutes) => edgeRow(new Date(now - minutes * 60_000), project, '/rest/v1'));
  const file = await workspace.writeRows('edge.ndjson', rows);
  gateway = await Gateway.serve(workspace, { JWT_SECRET: secret });
  expect(await workspace.run(['import', 'edge_logs', file])).toMatchObject({ code: 0 });
  await symlink(resolve('node_modules'), workspace.path('node_modules'));
  await workspace.write('package.json', '{"type":"module"}');
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

test('curl', () => {
  const [header, ...lines] = run('bash', ['-c', recipe('curl', 'sh')]).split('\r\n');
  expect(header).toBe(
    'timestamp,total_rest_requests,total_storage_requests,total_auth_requests,total_realtime_requests',
  );
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[1] ?? 0), 0)).toBe(3);
});

test('TypeScript from OpenAPI is generated, compiled and called', async () => {
  run('bash', ['-c', recipe('TypeScript from OpenAPI', 'sh').replace('npx ', '')]);
  await workspace.write('call.ts', recipe('TypeScript from OpenAPI', 'ts'));
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions'];
  run('tsc', [...options, '--target', 'es2023', '--module', 'nodenext', '--types', 'node', 'call.ts']);
  // The client has enumerations and other syntax that is more than types.
  expect(run(process.execPath, ['--experimental-transform-types', '--no-warnings', 'call.ts'])).toBe('3\n');
});

test.each([
  ['Apollo Client', 'ts'],
  ['Live answers with Apollo Client', 'ts'],
  ['Live answers with urql', 'ts'],
  ['An agent', 'ts'],
])('%s', async (heading, language) => {
  const file = await workspace.write('recipe.ts', recipe(heading, language));
  expect(run(process.execPath, ['--no-warnings', file])).toBe('3\n');
});

test.each([
  ['Relay', relayCall],
  ['Live answers with Relay', relaySubscription],
])('%s, with a request as its compiler writes it', async (heading, call) => {
  await workspace.write('environment.js', recipe(heading, 'js'));
  const file = await workspace.write('relay.js', call);
  const rows = JSON.parse(run(process.execPath, [file])) as { totalRestRequests: string }[];
  expect(rows.reduce((sum, row) => sum + Number(row.totalRestRequests), 0)).toBe(3);
});

test('DuckDB', async () => {
  run('bash', ['-c', recipe('DuckDB', 'sh')]);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  onTestFinished(() => connection.closeSync());
  const sql = recipe('DuckDB', 'sql').replace('counts.parquet', workspace.path('counts.parquet'));
  const read = await connection.runAndReadAll(sql);
  expect(read.getRowsJson()).toEqual([['3']]);
});

test('Grafana', async () => {
  const url = recipe('Grafana', '').trim();
  const response = await fetch(url, { headers: { 'X-API-KEY': 'a-key' } });
  const { result } = (await response.json()) as { result: { timestamp: string }[] };
  for (const { timestamp } of result) expect(Date.parse(timestamp)).not.toBeNaN();
});

test.skipIf(isWithoutPandas)('Python with pandas', async () => {
  const file = await workspace.write('counts.py', recipe('Python with pandas', 'python'));
  expect(run(python, [file])).toBe('3\n');
});

test.skipIf(isWithoutChromium)('a web page on another origin, with a token of its user', async () => {
  const made = ['keys', 'token', '--subject', 'alice', '--projects', project];
  const { stdout, code } = await workspace.run(made, { JWT_SECRET: secret });
  expect(code).toBe(0);
  const page = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>'),
  ).listen(0);
  onTestFinished(() => void page.close());
  const tab = await (await newContext()).newPage();
  await tab.goto(`http://127.0.0.1:${portOf(page)}/`);
  await tab.addScriptTag({ content: recipe('A web page', 'js') });
  const call = (of: string) =>
    tab.evaluate(
      `apiCounts(${JSON.stringify(gateway.url)}, ${JSON.stringify(stdout.trim())}, ${JSON.stringify(of)})`,
    );
  const rows = (await call(project)) as { total_rest_requests: number }[];
  expect(rows.reduce((sum, row) => sum + row.total_rest_requests, 0)).toBe(3);
  await expect(call('another')).rejects.toThrow('FORBIDDEN: Parameter "project"');
});
