import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LiveSources } from '../../../src/app/gateway/live-sources.ts';
import { formatProblem } from '../../../src/base/errors/problem.ts';
import { shownFile } from '../../../src/base/system/shown-file.ts';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import type { Source } from '../../../src/definitions/sources/source.ts';
import { columnChanges } from '../../../src/definitions/sources/source-changes.ts';
import type { TableField } from '../../../src/definitions/sources/table-field.ts';
import { unstorableColumns } from '../../../src/engines/duckdb/store/tables/source-table.ts';

let dir: string;
let dataDir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sources-'));
  dataDir = join(dir, 'data');
});
afterEach(() => rm(dir, { recursive: true }));

const field = (name: string, type = 'STRING', more: Partial<TableField> = {}): TableField => ({
  name,
  type,
  mode: 'NULLABLE',
  ...more,
});
const record = (name: string, ...fields: readonly TableField[]) =>
  field(name, 'RECORD', { mode: 'REPEATED', fields });
const needed = [field('id'), field('timestamp', 'TIMESTAMP')];

const writeSource = (...fields: readonly TableField[]) =>
  writeFile(
    join(dir, 'app_logs.json'),
    JSON.stringify({ unknownFields: 'add', fields: [...needed, ...fields] }, null, 1),
  );

async function load() {
  const { sources, problems } = await loadSources(dir, { dataDir });
  return {
    source: sources[0] as Source,
    problems: problems.map((problem) => formatProblem(problem).replaceAll(`${shownFile(dir)}/`, '')),
  };
}

/** Sources that can be extended, as far as an engine takes them. */
async function live(maxFields = 100) {
  const { source } = await load();
  const taken: (readonly Source[])[] = [];
  const sources = new LiveSources({
    sources: [source],
    useInEngine: async (next) => void taken.push(next),
    dataDir,
    limits: { maxFields, unstorable: unstorableColumns },
  });
  const grown: string[] = [];
  sources.onGrowth((changes) => void grown.push(...changes));
  const add = (...fields: readonly TableField[]) => sources.add([{ source: 'app_logs', fields }]);
  return { sources, taken, grown, add, before: source };
}

test('adds no field whose name in GraphQL is that of another', async () => {
  await writeSource(field('user_id'), record('metadata', field('path')));
  const { add, taken } = await live();
  const end = 'in GraphQL: rename one in the settings of the source';
  await expect(add(field('userId'))).rejects.toThrow(`userId: it and user_id would both be userId ${end}`);
  await expect(add(record('metadata', field('Path')))).resolves.toBeUndefined();
  await expect(add(record('metadata', field('a b'), field('a_b')))).rejects.toThrow(
    `metadata.a_b: it and a b would both be aB ${end}`,
  );
  expect(taken).toEqual([]);
});

test('adds fields to a source, also within its records, and finds them again after a restart', async () => {
  await writeSource(field('level'), record('metadata', field('path')));
  const { sources, taken, grown, add, before } = await live();
  await add(
    field('status', 'INT64'),
    record('metadata', field('PATH'), field('host')),
    record('user', field('name')),
  );
  const [after] = sources.current;
  expect(columnChanges(before.columns, after?.columns ?? [])).toEqual([
    'added metadata.host STRING',
    'added status INT64',
    'added user RECORD REPEATED',
    'added user.name STRING',
  ]);
  expect(taken).toEqual([[after]]);
  expect(grown).toHaveLength(1);
  expect(await load()).toEqual({ source: after, problems: [] });

  // Nothing new: nothing is written, the engine keeps its sources.
  await add(field('status'), field('level', 'INT64'));
  expect(taken).toHaveLength(1);
  await add(field('more'));
  expect((await load()).source).toEqual(sources.current[0]);
});

test('adds what many requests bring at the same time', async () => {
  await writeSource();
  const { add, sources } = await live();
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => add(field(`f${n % 10}`), record('r', field(`g${n}`)))),
  );
  expect(sources.current[0]?.columns).toHaveLength(2 + 10 + 1);
  expect((await load()).source).toEqual(sources.current[0]);
  expect(await readdir(join(dataDir, 'fields'))).toEqual(['app_logs.json']);
});

test.each([
  [
    'more fields than allowed',
    [field('a'), record('b', field('c'), field('d'))],
    'it would have more than 5 fields',
  ],
  ['a name that columns cannot have', [field('a.b')], '"a.b" is not a valid column name'],
  ['a reserved name', [field('_PARTITIONDATE')], 'BigQuery reserves names such as _PARTITIONDATE'],
  ['a type that cannot be stored', [field('g', 'GEOGRAPHY')], 'the column g is of type GEOGRAPHY'],
  ['a name that the store needs', [field('rowid')], 'the column rowid has the name'],
  [
    'records that are too deep',
    [Array.from({ length: 16 }).reduce<TableField>((inner) => record('r', inner), field('x'))],
    'nested more than 15 levels deep',
  ],
])('refuses %s, and adds none of the fields', async (_what, fields, reason) => {
  await writeSource();
  const { add, sources, before } = await live(_what.startsWith('more') ? 5 : 100);
  await expect(add(...fields)).rejects.toThrow(reason);
  expect(sources.current).toEqual([before]);
  expect((await load()).source).toEqual(before);
});

test('lets a file declare an added field later, with another type or name as well', async () => {
  await writeSource();
  const { add } = await live();
  await add(field('n', 'INT64'), record('r', field('x')));
  await writeSource(field('N', 'INTEGER'), record('R', field('y')));
  const { source, problems } = await load();
  expect(problems).toEqual([]);
  expect(source.columns.map(({ name, fields }) => [name, ...fields.map((inner) => inner.name)])).toEqual([
    ['id'],
    ['timestamp'],
    ['N'],
    ['R', 'y', 'x'],
  ]);
  // Where they differ, the file counts: the store follows it.
  await writeSource(field('n'), record('r', field('x', 'STRING', { mode: 'REPEATED' })));
  const changed = await load();
  expect(changed.problems).toEqual([]);
  expect(
    changed.source.columns.slice(2).map(({ name, type, isAdded }) => [name, type.kind, isAdded]),
  ).toEqual([
    ['n', 'STRING', undefined],
    ['r', changed.source.columns[3]?.type.kind, undefined],
  ]);
  await writeSource(field('m', 'INT64', { was: 'n' }));
  expect((await load()).source.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'm', 'r']);
});

test('reports mistakes in the file of added fields', async () => {
  await writeSource();
  const { add } = await live();
  await add(field('n', 'INT64'));
  const file = join(dataDir, 'fields/app_logs.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('INT64', 'INT65'));
  expect((await load()).problems).toEqual([
    'data/fields/app_logs.json:4:13: n: "INT65" is not a type that a source can have',
  ]);
});
