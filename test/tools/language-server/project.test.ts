import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesOnDisk } from '../../../src/base/system/folder-files.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import type { Planner } from '../../../src/calls/planner/planner.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { AnalyzerUnavailableError } from '../../../src/sql/analyzer/error.ts';
import { EditedFiles } from '../../../src/tools/language-server/project/edited-files.ts';
import { Project } from '../../../src/tools/language-server/project/project.ts';
import { ProjectFolder, settings } from './support/editor.ts';

const source = (...names: string[]) =>
  JSON.stringify([
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    ...names.map((name) => ({ name, type: 'STRING' })),
  ]);
const endpoint = (n: number, column: string, table: string) =>
  `${settings(n)}SELECT t.${column} FROM logs.${table} AS t\n`;

const never = new AbortController().signal;
let analyzer: Analyzer;
let folder: ProjectFolder;
/** The texts that were planned since the last look. */
let planned: string[] = [];
/** Whether a text is refused by a failing analyzer. */
let fails = (_sql: string) => false;

beforeAll(async () => {
  analyzer = await Analyzer.start();
  const endpoints = Array.from({ length: 12 }, (_, n) => [
    `endpoints/e${n}.sql`,
    endpoint(n, 'id', n < 4 ? 'few' : 'many'),
  ]);
  folder = await ProjectFolder.create({
    'sources/few.json': source(),
    'sources/many.json': source(),
    ...Object.fromEntries(endpoints),
  });
});
afterAll(async () => {
  await analyzer?.close();
  await folder?.remove();
});

function open() {
  const files = new EditedFiles(filesOnDisk);
  const at = (name: string) => path.join(folder.path, name);
  const newPlanner = (): Pick<Planner, 'planText'> => {
    const planner = new LocalPlanner(analyzer);
    return {
      planText(text, signal) {
        planned.push(text.sql.trim());
        if (fails(text.sql)) throw new AnalyzerUnavailableError('The SQL analyzer stopped');
        return planner.planText(text, signal);
      },
    };
  };
  const project = new Project({
    settings: {
      endpointsDir: at('endpoints'),
      sourcesDir: at('sources'),
      dataDir: at('data'),
      engine: 'duckdb',
      ...{ recordCalls: false, recordCallsDays: 90 },
      dataRetentionDays: undefined,
    },
    files,
    newPlanner,
    onChecked: () => {},
  });
  const check = async () => {
    planned = [];
    const problems = await project.check(never);
    return [...problems].map(([file, [first]]) => `${path.basename(file)}: ${first?.text}`);
  };
  return { files, project, check, at };
}

test('only what has changed is planned again', async () => {
  const { files, check, at } = open();
  expect(await check()).toEqual([]);
  expect(planned).toHaveLength(12);
  expect(await check()).toEqual([]);
  expect(planned).toEqual([]);
  files.edit(at('endpoints/e5.sql'), endpoint(5, 'wrong', 'many'));
  expect(await check()).toEqual(['e5.sql: Name wrong not found inside t']);
  expect(planned).toEqual(['SELECT t.wrong FROM logs.many AS t']);
  // The endpoints that read the source, and the one with an error: its message could name the new table.
  files.edit(at('sources/few.json'), source('level'));
  expect(await check()).toEqual(['e5.sql: Name wrong not found inside t']);
  expect(planned).toHaveLength(5);
  files.edit(at('sources/few.json'), '[');
  expect(await check()).toEqual([
    'e5.sql: Name wrong not found inside t',
    'few.json: not JSON: expected "," or "]", found the end of the file',
  ]);
  expect(planned).toEqual([]);
});

test('a text on which the analyzer fails has an error until the analyzer answers', async () => {
  const { check } = open();
  fails = (sql) => sql.includes('logs.few');
  expect(await check()).toEqual([0, 1, 2, 3].map((n) => `e${n}.sql: The SQL analyzer stopped`));
  fails = () => false;
  expect(await check()).toEqual([]);
  expect(planned).toHaveLength(4);
});

test('an aborted check ends with the reason', async () => {
  const { project } = open();
  const reason = new Error('changed');
  await expect(project.check(AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('errors in test files show without running a case', async () => {
  const { files, check, at } = open();
  const text = `rows:
  few:
    - {id: a, timestamp: '2026-11-20', colour: red}
cases:
  - name: one
    parameters: {nobody: 1}
    expect: {count: 1, cuont: 2}
`;
  files.edit(at('endpoints/e0.test.yaml'), text);
  expect(await check()).toEqual(['e0.test.yaml: Unknown key "cuont". Did you mean "count"?']);
  files.edit(at('endpoints/e0.test.yaml'), text.replace(', cuont: 2', ''));
  expect(await check()).toEqual([
    expect.stringMatching(/^e0\.test\.yaml: shared rows: row 1 of few: .*colour/),
  ]);
  files.edit(at('endpoints/e0.test.yaml'), text.replace(', cuont: 2', '').replace(', colour: red', ''));
  expect(await check()).toEqual(['e0.test.yaml: The endpoint has no parameter "nobody"']);
  files.edit(at('endpoints/e0.test.yaml'), undefined);
  files.edit(at('endpoints/nothing.test.yaml'), text);
  expect(await check()).toEqual([
    expect.stringMatching(
      /^nothing\.test\.yaml: There is no endpoint nothing\.sql beside this file; known: e0\.sql/,
    ),
  ]);
});

test('a file that looks like a test file and is none is reported, as the command test does', async () => {
  const { files, check, at } = open();
  files.edit(at('endpoints/e0.test.yml'), 'cases: []');
  expect(await check()).toEqual(['e0.test.yml: The names of test files end in .test.yaml: rename this file']);
  files.edit(at('endpoints/e0.test.yml'), undefined);
  expect(await check()).toEqual([]);
});
