import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { splitLine } from '../../src/cli/completion/complete.ts';
import { commandGroups } from '../../src/cli/output/help.ts';
import { createProgram } from '../../src/cli/program.ts';
import { cliText, commands, examplesOf, helpOf, tools } from './cli-text.ts';
import { blocksOf } from './markdown.ts';

test('docs/cli.md has the help of every command (`node test/docs/write-cli.ts` writes it)', async () => {
  const text = await readFile('docs/cli.md', 'utf8');
  expect(text).toBe(cliText(text));
});

test('the help lists each command under what it is for, in a line', () => {
  const program = createProgram(tools);
  const help = helpOf(program);
  expect(help).not.toContain('\nCommands:\n');
  const listed = new Set(commandGroups.flatMap(([, names]) => names));
  for (const command of program.createHelp().visibleCommands(program)) {
    expect(listed).toContain(command.name());
    expect(help).toMatch(new RegExp(`^  ${command.name()} {2,}\\S.*[^.]$`, 'm'));
    expect(command.summary() || command.description()).toMatch(/^[A-Z].{5,64}$/);
  }
  expect(help).toMatch(/Exit codes:\n {2}0 .*docs\/settings\.md/s);
  expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(81);
});

test('each command has examples, of which all are calls of it', async () => {
  for (const command of commands()) {
    // Editors start the language server.
    if (['help', 'lsp'].includes(command.name())) continue;
    const examples = examplesOf(helpOf(command)).map((line) => line.split(/ [|>] /)[0] ?? '');
    expect(examples.length, command.name()).toBeGreaterThan(0);
    for (const example of examples) {
      let runs = 0;
      let complaints = '';
      const count = async () => {
        runs += 1;
      };
      const err = (text: string) => {
        complaints += text;
      };
      const program = createProgram({
        ...tools,
        output: { ...tools.output, err },
        run: count,
        runWithoutSettings: count,
      });
      await program.parseAsync(splitLine(example).slice(1), { from: 'user' }).catch(() => undefined);
      expect({ example, runs, complaints }).toEqual({ example, runs: 1, complaints: '' });
    }
  }
});

/** The document of `check --json`. Readers may rely on these parts; others may be added. */
const checkDocument = z.strictObject({
  endpoints: z.array(
    z.strictObject({
      name: z.string(),
      id: z.uuid(),
      file: z.string(),
      description: z.string(),
      parameters: z.array(
        z.strictObject({
          name: z.string(),
          type: z.string(),
          required: z.boolean(),
          values: z.array(z.string()).optional(),
          default: z.union([z.string(), z.array(z.string())]).optional(),
          rules: z.array(z.string()),
          description: z.string().optional(),
        }),
      ),
      columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
      tables: z.array(z.string()),
      bytesProcessed: z.number().optional(),
    }),
  ),
  sources: z.array(z.strictObject({ name: z.string(), file: z.string() })),
  boards: z.array(z.string()),
  problems: z.array(z.strictObject({ file: z.string(), line: z.int(), column: z.int(), text: z.string() })),
  lock: z
    .strictObject({
      file: z.string(),
      outcome: z.enum(['current', 'written', 'outdated', 'blocked']),
      changes: z.array(
        z.strictObject({
          endpoint: z.string(),
          version: z.int(),
          kind: z.enum(['added', 'changed', 'removed']),
        }),
      ),
    })
    .optional(),
  changes: z
    .array(z.strictObject({ severity: z.enum(['breaking', 'dangerous']), text: z.string() }))
    .optional(),
});

test('the document of `check --json` in docs/cli.md has its form', async () => {
  const [block = ''] = await blocksOf('docs/cli.md', 'json');
  expect(checkDocument.parse(JSON.parse(block))).toEqual(JSON.parse(block));
});

test('`check --json` prints a document of this form, whether there are errors or not', async () => {
  const { Workspace } = await import('../acceptance/support/workspace.ts');
  const { inProcess } = await import('../cli/support/in-process.ts');
  const workspace = await Workspace.withShippedSchema();
  try {
    const against = ['--against', 'schema/gateway.graphql'];
    const good = await inProcess(['check', '--json', ...against], workspace.environment);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    const document = checkDocument.parse(JSON.parse(good.stdout));
    expect(document).toMatchObject({ problems: [], changes: [] });
    expect(document.endpoints.map(({ name }) => name)).toEqual(['logs.all', 'usage.api-counts']);
    expect(document.sources).toHaveLength(9);
    expect(await inProcess(['check', '--quiet', ...against], workspace.environment)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });

    const id = '00000000-0000-4000-8000-000000000001';
    const file = await workspace.write('endpoints/bad.sql', `/*\nid: ${id}\nname: bad\n*/\nSELECT x\n`);
    const bad = await inProcess(['check', '--json', ...against], workspace.environment);
    expect(bad).toMatchObject({ code: 1, stderr: '' });
    expect(checkDocument.parse(JSON.parse(bad.stdout))).toMatchObject({
      problems: [{ file: path.relative('', file), line: 5, column: 8, text: expect.stringContaining('x') }],
    });
    expect(JSON.parse(bad.stdout)).not.toHaveProperty('changes');
    const quiet = await inProcess(['check', '--quiet'], workspace.environment);
    expect(quiet).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/bad\.sql:5:8: .*\n1 error\n$/),
    });
  } finally {
    await workspace.remove();
  }
});
