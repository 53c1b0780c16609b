import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/engines/registry.ts';
import { CommandError, UsageError } from '../../src/base/errors/command-error.ts';
import { checkCommand } from '../../src/cli/check/check.ts';
import { initCommand } from '../../src/cli/init/init.ts';
import { projectScripts } from '../../src/cli/project/package-json.ts';
import { writeProject } from '../../src/cli/project/write-project.ts';
import { CapturedOutput } from './support/captured-output.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'init-'));
});
afterAll(() => rm(root, { recursive: true }));

async function init(folder: string, options = {}) {
  const output = new CapturedOutput();
  const code = await initCommand(readConfig({}), output, folder, options);
  return { code, output };
}

/** All files of a folder with their texts. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Without the contract, which needs the analyzer. */
const write = (folder: string) =>
  writeProject({ folder, endpointId: '6f1f3ad4-4a64-4c0e-9a4e-0f4f8f6f2a11', version: '1.2.3' });

describe('a new project', () => {
  let folder: string;
  let first: Awaited<ReturnType<typeof init>>;
  beforeAll(async () => {
    folder = join(root, 'deep/shop endpoints');
    first = await init(folder);
  });

  test('has every file that it says to have written', async () => {
    const written = [...first.output.stdout.matchAll(/^wrote (.*)$/gm)].map(([, path = '']) => path);
    expect(written.map((path) => path.slice(path.indexOf('shop endpoints/') + 15)).toSorted()).toEqual([
      '.env.example',
      '.github/workflows/endpoints.yml',
      '.gitignore',
      'README.md',
      'endpoints.lock',
      'endpoints/requests.by-path.sql',
      'endpoints/requests.by-path.test.yaml',
      'fixtures/requests.ndjson',
      'package.json',
      'schema.graphql',
      'sources/requests.json',
    ]);
    expect(Object.keys(await filesOf(folder))).toHaveLength(written.length);
    expect(first.code).toBe(0);
  });

  test('names the next steps, to paste into a shell', () => {
    expect(first.output.stdout).toMatch(
      /Next steps:\n {2}cd '[^\n]*shop endpoints'\n {2}npm install\n {2}npm run dev/,
    );
  });

  test('passes the check, and its contract is that of its endpoint', async () => {
    const output = new CapturedOutput();
    const [endpointsDir = '', sourcesDir = '', against = ''] = ['endpoints', 'sources', 'schema.graphql'].map(
      (name) => join(folder, name),
    );
    const config = readConfig({ ENDPOINTS_DIR: endpointsDir, SOURCES_DIR: sourcesDir });
    expect(await checkCommand(config, output, { against })).toBe(0);
    expect(output.stdout).toContain('1 endpoint, 1 source: no errors');
    expect(output.stdout).toContain('no breaking changes');
    expect((await filesOf(folder))['schema.graphql']).toContain('requestsByPath(');
  });

  test('stays as it is when it is made again', async () => {
    const before = await filesOf(folder);
    const again = await init(folder);
    expect(again.output.stdout).not.toMatch(/^(?:wrote|extended)/m);
    expect(await filesOf(folder)).toEqual(before);
  });

  test('has a workflow that runs commands which exist, and no step twice', async () => {
    const text = (await filesOf(folder))['.github/workflows/endpoints.yml'] ?? '';
    const { jobs, on } = parse(text);
    expect(Object.keys(on)).toEqual(['push', 'pull_request']);
    const runs = jobs.check.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(runs[0]).toBe('npm ci');
    const commands = [...runs.join('\n').matchAll(/npx endpoint-gateway (.*)$/gm)].map(
      ([, command]) => command,
    );
    expect(commands).toEqual([
      'check --locked',
      'test --reporter github',
      'schema --output schema.graphql',
      'check --quiet --against "$RUNNER_TEMP/base.graphql"',
      'diff FETCH_HEAD --format markdown >> "$GITHUB_STEP_SUMMARY" || [ $? -eq 3 ]',
    ]);
  });

  test('ignores rows, settings and packages in git', async () => {
    const files = await filesOf(folder);
    for (const line of ['node_modules/', 'data/', '.env'])
      expect(files['.gitignore']?.split('\n')).toContain(line);
    expect(JSON.parse(files['package.json'] ?? '').scripts).toEqual(projectScripts);
  });
});

describe('a folder that has files', () => {
  test('keeps every one of them', async () => {
    const folder = join(root, 'kept');
    await mkdir(join(folder, '.github/workflows'), { recursive: true });
    const own = { 'README.md': 'mine', '.gitignore': 'mine', '.github/workflows/endpoints.yml': 'mine' };
    for (const [path, text] of Object.entries(own)) await writeFile(join(folder, path), text);
    const { kept, written } = await write(folder);
    expect(kept).toEqual(['.gitignore', 'README.md', '.github/workflows/endpoints.yml']);
    expect(written).toContain('endpoints/requests.by-path.sql');
    expect(await filesOf(folder)).toMatchObject(own);
  });

  test('with own endpoints or sources gets no first endpoint, and the folders that the gateway looks for', async () => {
    const folder = join(root, 'own');
    await mkdir(join(folder, 'sources'), { recursive: true });
    await writeFile(join(folder, 'sources/orders.json'), '[]');
    const { written, hasFirstEndpoint } = await write(folder);
    expect(hasFirstEndpoint).toBe(false);
    expect(written.filter((path) => /^(?:endpoints|sources|fixtures)/.test(path))).toEqual([]);
    expect((await stat(join(folder, 'endpoints'))).isDirectory()).toBe(true);
  });

  test('whose sources have errors gets no contract, and says what to do', async () => {
    const folder = join(root, 'wrong');
    await mkdir(join(folder, 'sources'), { recursive: true });
    await writeFile(join(folder, 'sources/orders.json'), '[]');
    const { code, output } = await init(folder);
    expect(code).toBe(0);
    expect(output.stderr).toMatch(
      /orders\.json:1:1: .*\nschema\.graphql is not written\. Correct this, then run: npm run schema/,
    );
  });

  test('is told what its own scripts and its .gitignore do not do', async () => {
    const folder = join(root, 'others');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{"name":"x","scripts":{"dev":"vite"}}');
    await writeFile(join(folder, '.gitignore'), 'node_modules\n/data\n');
    const { output } = await init(folder);
    expect(output.stdout).toMatch(/^Add to \.gitignore, or git takes rows, keys and secrets: \.env$/m);
    expect(output.stdout).toMatch(/npx endpoint-gateway dev +# serves .*\n {2}npm test +# runs/);
  });

  test('is extended at package.json, whose mode stays', async () => {
    const folder = join(root, 'extended');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{"name":"app"}', { mode: 0o664 });
    const { mode } = await stat(join(folder, 'package.json'));
    expect((await write(folder)).extended).toEqual(['package.json']);
    expect((await stat(join(folder, 'package.json'))).mode).toBe(mode);
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/\.new$/));
  });
});

describe('a place where no project can be', () => {
  test.each([
    ['a file', 'file', /file is a file, and the project needs a folder/],
    ['below a file', 'file/shop', /file is a file, and the project needs a folder/],
    ['node_modules', 'node_modules/shop', /is in node_modules/],
  ])('%s is refused', async (_, place, reason) => {
    await writeFile(join(root, 'file'), '');
    await expect(write(join(root, place))).rejects.toThrow(reason);
    await expect(write(join(root, place))).rejects.toBeInstanceOf(CommandError);
  });

  test.each([
    ['endpoints', 'a file in place of a folder', (path: string) => writeFile(path, '')],
    ['README.md', 'a folder in place of a file', (path: string) => mkdir(path)],
    ['package.json', 'a package.json that is not JSON', (path: string) => writeFile(path, '{')],
  ])('is refused with %s as %s, and nothing is written', async (name, _, make) => {
    const folder = await mkdtemp(join(root, 'refused-'));
    await make(join(folder, name));
    await expect(write(folder)).rejects.toThrow(join(folder, name));
    expect(await readdir(folder)).toEqual([name]);
  });

  test.each([
    ['endpoints', 'elsewhere'],
    ['sources', '.'],
    ['.github', 'elsewhere'],
    ['package.json', 'elsewhere/package.json'],
    ['package.json', 'elsewhere/missing.json'],
  ])('is refused with a symbolic link %s to %s, and nothing is written', async (name, target) => {
    const folder = await mkdtemp(join(root, 'linked-'));
    const elsewhere = join(await mkdtemp(join(root, 'outside-')), 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'package.json'), '{}');
    await symlink(join(elsewhere, '..', target), join(folder, name));
    await expect(write(folder)).rejects.toThrow(`${join(folder, name)} is a symbolic link`);
    expect(await readdir(folder)).toEqual([name]);
    expect(await readdir(elsewhere)).toEqual(['package.json']);
    expect(await readFile(join(elsewhere, 'package.json'), 'utf8')).toBe('{}');
  });

  test('a link in place of another file is kept, and not written through', async () => {
    const folder = await mkdtemp(join(root, 'linked-'));
    const target = join(await mkdtemp(join(root, 'outside-')), 'README.md');
    await symlink(target, join(folder, 'README.md'));
    expect((await write(folder)).kept).toContain('README.md');
    await expect(readFile(target)).rejects.toThrow('ENOENT');
  });

  test('a name that npm refuses is a wrong use', async () => {
    await expect(init(join(root, 'named'), { name: 'My Shop' })).rejects.toBeInstanceOf(UsageError);
    expect(await readdir(root)).not.toContain('named');
  });
});
