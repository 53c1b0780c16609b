import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { generate } from '@graphql-codegen/cli';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import codegen from '../../codegen.ts';

const clientFiles = ['activity.ts', 'execute.ts', 'operations.ts'];
const generatedFolder = 'test/client/generated/';

test('the generated documents are those of the schema and the operations; else run: npm run codegen', async () => {
  const generated = await generate(codegen, false);
  const contents = Object.fromEntries(
    generated.map(({ filename, content }: { filename: string; content: string }) => [
      path.basename(filename),
      content,
    ]),
  );
  const committed = await readdir(generatedFolder);
  expect(committed.toSorted()).toEqual(Object.keys(contents).toSorted());
  for (const file of committed) {
    expect(await readFile(path.join(generatedFolder, file), 'utf8')).toBe(contents[file]);
  }
});

describe('a client of the schema', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gw-client-'));
    for (const file of clientFiles) await cp(path.join('test/client', file), path.join(folder, file));
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, 'package.json'), '{"type": "module"}');
    const tsconfig = { extends: path.resolve('tsconfig.json'), include: ['*.ts', 'generated'] };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Generates the client's types from the schema after a change of its text. */
  async function generateFrom(before: string | RegExp, after: string): Promise<void> {
    const schema = await readFile('schema/gateway.graphql', 'utf8');
    const changed = schema.replace(before, after);
    if (before !== after) expect(changed).not.toBe(schema);
    const output = codegen.generates[generatedFolder];
    if (output === undefined) throw new Error(`codegen.ts does not generate ${generatedFolder}`);
    const documents = path.join(folder, 'operations.ts');
    const generates = { [path.join(folder, 'generated/')]: output };
    await generate({ ...codegen, silent: true, schema: changed, documents, generates }, true);
  }

  /** What the compiler has against the client. */
  async function compile(): Promise<string> {
    const tsc = path.resolve('node_modules/.bin/tsc');
    const run = promisify(execFile)(tsc, ['--noEmit', '--project', folder, '--pretty', 'false']);
    return run.then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  test('compiles', async () => {
    await generateFrom('', '');
    expect(await compile()).toBe('');
  });

  test('does not compile when a column has another type', async () => {
    await generateFrom('totalRestRequests: Int64', 'totalRestRequests: Float');
    expect(await compile()).toMatch(/activity\.ts\(.*'number \| null' is not assignable/);
  });

  test('does not compile when an allowed value is gone', async () => {
    await generateFrom(/"""minutely"""\s+MINUTELY/, '"""secondly"""\n  SECONDLY');
    expect(await compile()).toMatch(/activity\.ts\(.*'"MINUTELY"' is not assignable/);
  });

  test('gets no types when an argument has become required', async () => {
    await expect(generateFrom(/start: String$/gm, 'start: String!')).rejects.toThrow(
      'Variable "$start" of type "String" used in position expecting type "String!"',
    );
  });

  test('gets no types when a column has another name', async () => {
    await expect(generateFrom('totalRestRequests: Int64', 'restRequests: Int64')).rejects.toThrow(
      /Cannot query field "totalRestRequests" on type "UsageApiCountsRow"/,
    );
  });
});
