import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../../src/definitions/endpoints/load-endpoints.ts';
import { newestFileOf } from '../../../src/definitions/endpoints/version-files.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';

const id = '00000000-0000-4000-8000-000000000001';
const file = (settings: string, sql = 'SELECT 1 AS n') => `/*\nid: ${id}\nname: a\n${settings}*/\n${sql}\n`;
const old = (version: number) =>
  file(`version: ${version}\ndeprecated: 2026-12-01\n`, `SELECT ${version} AS n`);

let analyzer: Analyzer;
let folder: string;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'versions-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const planner = new LocalPlanner(analyzer);
  const { endpoints, problems, places } = await loadEndpoints(folder, {
    planText: (text) => planner.planText(text),
    catalog: { tables: [] },
    checkPlan: async () => {},
  });
  const relative = (name: string) => path.relative(folder, path.resolve(name));
  return {
    versions: endpoints.map(({ number, older = [] }) => [number, ...older.map((each) => each.number)]),
    lines: problems.map((each) => `${relative(each.file)}:${each.line}:${each.column}: ${each.text}`),
    endpoints,
    places,
  };
}

test('only the versions that are kept are read, and their places are known', async () => {
  const { versions, lines, endpoints, places } = await load({
    'a.sql': file('version: 4\nkeep: 2\n'),
    'a/v3.sql': old(3),
    'a/v2.sql': old(2),
    'a/v1.sql': 'nobody reads it any more',
    'a/README.md': 'a description',
    'a/.hidden.sql': '',
  });
  expect(lines).toEqual([]);
  expect(versions).toEqual([[4, 3, 2]]);
  const [second] = endpoints[0]?.older ?? [];
  expect(second).toMatchObject({ id, name: 'a', number: 3, deprecation: { since: '2026-12-01' } });
  expect(second && places.locate(second, ['deprecated'])).toEqual({ line: 5, column: 1 });
});

test('a first version that keeps others has none', async () => {
  expect(await load({ 'a.sql': file('keep: 3\n') })).toMatchObject({ versions: [[1]], lines: [] });
});

test.each<[string, Record<string, string>, string[]]>([
  [
    'a missing file',
    { 'a.sql': file('version: 3\nkeep: 2\n'), 'a/v2.sql': old(2) },
    ['a.sql:5:1: keep: 2 serves 2 older versions, and a/v1.sql does not exist'],
  ],
  [
    'a number that is not below the newest',
    { 'a.sql': file('version: 2\n'), 'a/v2.sql': old(2), 'a/v10.sql': old(10) },
    [
      "a/v10.sql:1:1: The newest version of a.sql is 2: this can't be version 10",
      "a/v2.sql:1:1: The newest version of a.sql is 2: this can't be version 2",
    ],
  ],
  [
    'a name that is no version’s',
    { 'a.sql': file(''), 'a/V1.sql': old(1), 'a/v01.sql': old(1) },
    ['V1', 'v01'].map(
      (name) =>
        `a/${name}.sql:1:1: The file of an older version of a.sql is called v<number>.sql, such as v1.sql`,
    ),
  ],
  [
    'a version of no endpoint',
    { 'a.sql': file(''), 'b/v1.sql': old(1), 'b/other.sql': 'SELECT', 'views/v1.sql': 'SELECT 1 AS n' },
    ['b/v1.sql:1:1: This is an older version of b.sql, which does not exist'],
  ],
  [
    'settings that are not those of an older version',
    {
      'a.sql': file('version: 2\nkeep: 1\n'),
      'a/v1.sql':
        '/*\nid: 00000000-0000-4000-8000-000000000002\nname: b\nversion: 2\nkeep: 1\n*/\nSELECT 1 AS n\n',
    },
    [
      'a/v1.sql:2:1: Setting "deprecated" is missing: the day since which clients should call the newest version, such as 2027-01-31',
      `a/v1.sql:2:5: Bad setting "id": all versions of an endpoint have the same, here ${id}`,
      'a/v1.sql:3:7: Bad setting "name": all versions of an endpoint have the same, here a',
      'a/v1.sql:4:10: Bad setting "version": expected 1, as the name of the file says',
      'a/v1.sql:5:7: Bad setting "keep": it belongs to the newest version, 2',
    ],
  ],
  [
    'an error in its query',
    {
      'a.sql': file('version: 2\nkeep: 1\n'),
      'a/v1.sql': file('deprecated: 2026-12-01\n', 'SELECT wrong AS n'),
    },
    ['a/v1.sql:6:8: Unrecognized name: wrong'],
  ],
  [
    'days that are none',
    { 'a.sql': file('deprecated: 2026-02-31\nsunset: soon\n') },
    [
      'a.sql:4:13: Bad setting "deprecated": expected a day, such as 2027-01-31',
      'a.sql:5:9: Bad setting "sunset": expected a day, such as 2027-01-31',
    ],
  ],
  [
    'an end before the beginning, and one without',
    {
      'a.sql': file('deprecated: 2026-12-01\nsunset: 2026-11-30\n'),
      'b.sql': file('sunset: 2026-11-30\n').replace('name: a', 'name: b').replace('0001\n', '0002\n'),
    },
    [
      'a.sql:5:9: Bad setting "sunset": must not be before 2026-12-01',
      'b.sql:4:9: Bad setting "sunset": needs deprecated',
    ],
  ],
])('%s is an error at its place', async (_, files, lines) => {
  const loaded = await load(files);
  const named = loaded.lines.map((line) => line.replaceAll(`${path.relative('', folder)}/`, ''));
  expect(named).toEqual(lines);
});

test('the file of the newest version is beside the folder of the older ones', () => {
  expect(newestFileOf('endpoints/a.b/v12.sql')).toBe('endpoints/a.b.sql');
  for (const name of ['endpoints/v1.sql/x.sql', 'v1.sql', 'endpoints/a/V1.sql'])
    expect(newestFileOf(name)).toBe(name);
});
