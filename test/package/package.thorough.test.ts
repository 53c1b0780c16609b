import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { blocksOf } from '../docs/markdown.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** An empty folder in which the packed file has been installed, as a user does. */
let folder: string;
let installed: { readonly stdout: string; readonly stderr: string };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gw-package-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const file = `endpoint-gateway-${packageFile.version}.tgz`;
  installed = await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${file}`], {
    cwd: folder,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inPackage = (...parts: string[]) => path.join(folder, 'node_modules', ...parts);

/** Runs the command of the package, with the Node.js that started the tests or another one. */
function command(args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  return run(inPackage('.bin/endpoint-gateway'), args, { cwd: folder, ...options });
}

test('an installation takes less than 500 MB, and warns of no version of Node.js', async () => {
  const { stdout } = await run('du', ['-sm', inPackage('')]);
  expect(Number.parseInt(stdout, 10)).toBeLessThan(500);
  expect(installed.stderr).not.toContain('EBADENGINE');
  expect(installed.stderr).not.toContain('deprecated');
});

test('only the analyzer of this platform is kept, and no package for development is there', async () => {
  const analyzers = await readdir(inPackage('@fivetrandevelopers/zetasql/lib/zetasql'));
  expect(analyzers.filter((name) => name.startsWith('remote_server'))).toHaveLength(1);
  const packages = await readdir(inPackage(''));
  expect(packages).not.toContain('vitest');
  expect(packages).not.toContain('graphql');
});

test('it contains licences, types, documents and what deploys it, and no sources or tests', async () => {
  const names = await readdir(inPackage('endpoint-gateway'));
  expect(names).toEqual(
    expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'deploy', 'dist', 'docs', 'schema']),
  );
  expect(names).not.toContain('src');
  expect(names).not.toContain('test');
  const licences = await readFile(inPackage('endpoint-gateway/dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['graphql', 'zod', '@google-cloud/bigquery']) expect(licences).toContain(`\n${name} `);
});

test('a project of one’s own is made, checked and tested', async () => {
  await command(['init']);
  expect((await command(['check', '--quiet'])).stderr).toBe('');
  expect((await command(['test'])).stdout).toMatch(/passed/);
  const { stdout } = await command(['--version']);
  expect(stdout).toContain(`endpoint-gateway ${packageFile.version}`);
});

test('an installed Node.js that is too old starts the one of the package', async () => {
  const own = path.dirname(process.execPath);
  const others = (process.env.PATH ?? '')
    .split(':')
    .filter((part) => part !== own && !part.includes('node_modules'));
  const env = { ...process.env, PATH: others.join(':') };
  const { stdout } = await command(['--version'], { env });
  expect(stdout).toMatch(/Node\.js v?24\./);
});

test('the documented server of one’s own answers, and its types are right', async () => {
  const [example = ''] = await blocksOf(path.join(root, 'docs/embedding.md'), 'js');
  const call = `
const { port } = server.address();
const own = await fetch(\`http://127.0.0.1:\${port}/\`);
const answered = await fetch(\`http://127.0.0.1:\${port}/api/endpoints\`, { headers: { 'x-api-key': gateway.key } });
console.log(await own.text(), answered.status);
process.kill(process.pid, 'SIGTERM');
`;
  await mkdir(path.join(folder, 'own'), { recursive: true });
  const program = path.join(folder, 'server.mjs');
  const text = example.replace(
    'server.listen(4000)',
    'await new Promise((resolve) => server.listen(0, resolve))',
  );
  await writeFile(program, text + call);
  const { stdout } = await run(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, API_KEY: 'k' },
  });
  expect(stdout).toBe('My own page 200\n');

  const types = path.join(folder, 'server.mts');
  await writeFile(
    types,
    `${example}\n// @ts-expect-error there is no such setting\ncreateGateway({ settings: { PORTS: 1 } });\n`,
  );
  const strict = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
  const nodeTypes = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')];
  await run(path.join(root, 'node_modules/.bin/tsc'), [...strict, ...nodeTypes, types]);
});
