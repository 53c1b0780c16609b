import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTestCommand } from '../../src/cli/test/command.ts';
import { expectationKinds, testFileSchema } from '../../src/tools/endpoint-tests/cases/test-file.ts';
import { EndpointTestFolder } from '../cli/support/endpoint-test-folder.ts';
import { tools } from './cli-text.ts';
import { blocksOf, quoted, tableRows } from './markdown.ts';

const file = 'docs/testing.md';

describe('the example', () => {
  let folder: EndpointTestFolder;
  let tests: string;
  let outputs: string[];
  beforeAll(async () => {
    const [yaml = ''] = await blocksOf(file, 'yaml');
    const [sql = ''] = await blocksOf(file, 'sql');
    const [json = ''] = await blocksOf(file, 'json');
    tests = yaml;
    outputs = await blocksOf(file, 'text');
    folder = await EndpointTestFolder.create({
      'endpoints/orders.by-day.sql': sql,
      'endpoints/orders.by-day.test.yaml': yaml,
      'sources/orders.json': json,
    });
  });
  afterAll(() => folder?.remove());

  test('passes, and is covered, as it says', async () => {
    const { code, out } = await folder.run({ coverage: true });
    const [passed = '', , coverage = ''] = outputs;
    expect(out).toBe(`${folder.plain(passed)}\n${coverage}`);
    expect(code).toBe(0);
  });

  test('fails as it says', async () => {
    await folder.write({ 'endpoints/orders.by-day.test.yaml': tests.replace('"7.5"', '"7.6"') });
    const { code, out } = await folder.run({ filter: 'sums' });
    expect(out).toContain(outputs[1]);
    expect(code).toBe(1);
  });
});

const keysOf = async (head: string) => {
  const cells = (await tableRows(file, head)).map(([cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]*)`/g)].map(([, key]) => key)).toSorted();
};

test('all keys are described', async () => {
  expect(await keysOf('Key')).toEqual(Object.keys(testFileSchema.shape).toSorted());
  expect(await keysOf('Key of a case')).toEqual(
    Object.keys(testFileSchema.shape.cases.element.shape).toSorted(),
  );
  expect(await keysOf('Key of `expect`')).toEqual(Object.values(expectationKinds).flat().toSorted());
});

test('all options are described', async () => {
  const program = new Command();
  addTestCommand(program, tools);
  const flags = program.commands[0]?.options.map(({ flags }) => flags) ?? [];
  const described = (await tableRows(file, 'Option')).map(([cell = '']) => quoted(cell));
  const text = await readFile(file, 'utf8');
  expect(flags.filter((flag) => !described.includes(flag))).toEqual([
    '--json',
    '--engine <engine>',
    '--dry-run',
  ]);
  for (const flag of ['`--json`', '--engine bigquery --dry-run']) expect(text).toContain(flag);
});
