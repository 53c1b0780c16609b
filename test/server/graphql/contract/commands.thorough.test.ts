import { readFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../../acceptance/support/command.ts';
import { Workspace } from '../../../acceptance/support/workspace.ts';

let workspace: Workspace;
/** What `gateway schema` says of the endpoint that each test begins with. */
let printed: Outcome;
beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write(
    'sources/tiny.json',
    JSON.stringify([
      { name: 'id', type: 'STRING', mode: 'REQUIRED' },
      { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    ]),
  );
  await writeFirst();
  printed = await workspace.run(['schema']);
});
beforeEach(writeFirst);
afterAll(() => workspace?.remove());

function writeFirst() {
  return writeEndpoint('SELECT id, timestamp FROM logs.tiny');
}

function writeEndpoint(sql: string) {
  return workspace.write(
    'endpoints/tiny.sql',
    `/*\nid: 00000000-0000-4000-8000-000000000001\nname: tiny.logs\n*/\n${sql} WHERE timestamp > '2026-01-01'\n`,
  );
}

describe('gateway schema', () => {
  test('prints the schema of any folder of endpoints, without a store', () => {
    const { code, stdout, stderr } = printed;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const query = buildSchema(stdout).getQueryType()?.getFields();
    expect(Object.keys(query ?? {})).toEqual([
      'tinyLogs',
      'tinyLogsConnection',
      'estimates',
      'endpoints',
      'endpoint',
    ]);
    expect(stdout).toMatch(/type TinyLogsRow \{[^}]*id: String\n[^}]*timestamp: DateTime\n/);
  });

  test('writes it to a file', async () => {
    const file = workspace.path('gateway.graphql');
    const written = await workspace.run(['schema', '--output', file]);
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(printed.stdout);
    const nowhere = await workspace.run(['schema', '--output', workspace.path('none', 'x')]);
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't be written (no such file or directory)"),
    });
  });

  test('prints mistakes on standard error instead', async () => {
    await writeEndpoint('SELECT id, nope FROM logs.tiny');
    const { code, stdout, stderr } = await workspace.run(['schema']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/tiny\.sql:5:12: .*nope/);
  });
});

describe('gateway check --against', () => {
  const against = () => workspace.write('old.graphql', printed.stdout);

  test('finds nothing where nothing broke', async () => {
    const file = await against();
    await writeEndpoint('SELECT id, timestamp, 1 AS another FROM logs.tiny');
    const { code, stdout, stderr } = await workspace.run(['check', '--against', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(`against ${file}: no breaking changes\n`);
  });

  test('fails on breaking changes, a line each', async () => {
    const file = await against();
    await writeEndpoint('SELECT 1 AS id FROM logs.tiny');
    const { code, stderr } = await workspace.run(['check', '--against', file]);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      // Without the source's id, nothing identifies a row.
      'breaking: Field Query.tinyLogsConnection was removed.',
      'breaking: Field TinyLogsRow.id changed type from String to Int64.',
      'breaking: Field TinyLogsRow.timestamp was removed.',
      'breaking: PageInfo was removed.',
      'breaking: TinyLogsConnection was removed.',
      'breaking: TinyLogsEdge was removed.',
      `against ${file}: 6 breaking changes`,
      '',
    ]);
  });

  test('warns of dangerous changes', async () => {
    const file = await against();
    await workspace.write(
      'endpoints/tiny.sql',
      '/*\nid: 00000000-0000-4000-8000-000000000001\nname: tiny.logs\nparameters: {p: {}}\n*/\nSELECT id, timestamp FROM logs.tiny WHERE id = @p AND timestamp > "2026-01-01"',
    );
    const { code, stderr } = await workspace.run(['check', '--against', file]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `warning: An optional argument Query.tinyLogs(p:) was added.
warning: An optional argument Query.tinyLogsConnection(p:) was added.
`,
    });
  });

  test('does not compare schemas with errors', async () => {
    const file = await against();
    await writeEndpoint('SELECT nope FROM logs.tiny');
    const { code, stderr } = await workspace.run(['check', '--against', file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/nope[\s\S]*1 error\nagainst .*: not compared, because there are errors\n$/);
  });

  test('reports the errors in the file', async () => {
    const missing = workspace.path('none.graphql');
    expect(await workspace.run(['check', '--against', missing])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `--against ${missing}: the file can't be read (no such file or directory)\n`,
    });
    const bad = await workspace.write('bad.graphql', 'type Query {\n  a: }');
    expect(await workspace.run(['check', '--against', bad])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${bad}:2:6: Syntax Error: Expected Name, found "}".\n`,
    });
  });
});
