import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { pullCommand } from '../../../src/cli/sources/pull.ts';
import { ConfigError } from '../../../src/definitions/settings/config.ts';
import { type Answers, googleError, tableServer } from '../support/table-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pull-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fields = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED', description: 'when' },
  { name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'level', type: 'STRING' }] },
];
const table = (schema: object[]) => [200, { kind: 'bigquery#table', schema: { fields: schema } }] as const;
const listed = (...ids: string[]) => ids.map((tableId) => ({ tableReference: { tableId } }));

async function pull(answers: Answers, names: string[] = [], settings: Record<string, string> = {}) {
  const server = await tableServer(answers);
  const config = readConfig({
    SOURCES_DIR: folder,
    GOOGLE_CLOUD_PROJECT: 'p',
    BIGQUERY_DATASET: 'd',
    BIGQUERY_EMULATOR_HOST: server.url,
    ...settings,
  });
  let [out, err] = ['', ''];
  const output = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await pullCommand(config, output, names);
  return { code, out: out.replaceAll(folder, 'FOLDER'), err, asked: server.asked };
}

describe('pulling sources', () => {
  test('does not write through a symbolic link', async () => {
    await writeFile(join(folder, 'elsewhere'), 'kept');
    await symlink(join(folder, 'elsewhere'), join(folder, 'a_logs.json'));
    const pulled = await pull({ 'p/datasets/d/tables/a_logs': table(fields) }, ['a_logs']);
    expect(pulled).toMatchObject({
      code: 1,
      err: expect.stringMatching(/a_logs\.json can't be written: it is a symbolic link\n$/),
    });
    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('kept');
  });

  test('writes the schema of a table in the form of the others', async () => {
    const pulled = await pull({ 'p/datasets/d/tables/a_logs': table(fields) }, ['a_logs']);
    expect(pulled).toMatchObject({ code: 0, out: 'a_logs: new, 3 columns\n1 source in FOLDER\n', err: '' });
    const text = await readFile(join(folder, 'a_logs.json'), 'utf8');
    expect(JSON.parse(text)).toEqual([
      { name: 'id', type: 'STRING', mode: 'REQUIRED' },
      { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED', description: 'when' },
      {
        name: 'metadata',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [{ name: 'level', type: 'STRING', mode: 'NULLABLE' }],
      },
    ]);
    const shipped = await readFile('schema/sources/edge_logs.json', 'utf8');
    const { fields: columns } = JSON.parse(shipped);
    await writeFile(join(folder, 'edge_logs.json'), shipped);
    await pull({ 'p/datasets/d/tables/edge_logs': table([...columns, { name: 'n', type: 'INT64' }]) }, [
      'edge_logs',
    ]);
    await pull({ 'p/datasets/d/tables/edge_logs': table(columns) }, ['edge_logs']);
    expect(await readFile(join(folder, 'edge_logs.json'), 'utf8')).toBe(shipped);
  });

  test('reads the newest day of a wildcard source, and keeps what the file says besides', async () => {
    const file = join(folder, 'events.json');
    await writeFile(file, JSON.stringify({ wildcard: 'DAY', fields: [{ name: 'n', type: 'STRING' }] }));
    const answers = {
      'p/datasets/d/tables': [
        200,
        { tables: listed('events_20260101', 'events_20260102', 'events_new', 'events') },
      ],
      'p/datasets/d/tables/events_20260102': table([{ name: 'n', type: 'INT64' }]),
    } as const;
    expect(await pull(answers)).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      wildcard: 'DAY',
      fields: [{ name: 'n', type: 'INT64', mode: 'NULLABLE' }],
    });
    const none = { 'p/datasets/d/tables': [200, { tables: listed('events_x') }] } as const;
    expect(await pull(none)).toMatchObject({
      code: 1,
      err: 'events: p.d.events_YYYYMMDD: there is no table of any day\n',
    });
  });

  test('leaves a file alone that says the same in other words', async () => {
    const file = join(folder, 'a_logs.json');
    const text = JSON.stringify([{ name: 'n', type: 'integer', mode: 'NULLABLE' }]);
    await writeFile(file, text);
    await utimes(file, 1000, 1000);
    const pulled = await pull({ 'p/datasets/d/tables/a_logs': table([{ name: 'n', type: 'INT64' }]) });
    expect(pulled).toMatchObject({ code: 0, out: 'a_logs: unchanged\n1 source in FOLDER\n' });
    expect((await stat(file)).mtimeMs).toBe(1_000_000);
  });

  test('says which columns were added, removed and changed', async () => {
    await writeFile(join(folder, 'a_logs.json'), JSON.stringify(fields));
    const [id, timestamp] = fields;
    const now = [
      { ...id, mode: 'NULLABLE' },
      timestamp,
      { name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'region', type: 'INTEGER' }] },
    ];
    const { code, out } = await pull({ 'p/datasets/d/tables/a_logs': table(now as object[]) });
    expect(code).toBe(0);
    expect(out).toBe(`a_logs: changed
  changed id from STRING REQUIRED to STRING
  added metadata.region INT64
  removed metadata.level STRING
1 source in FOLDER
`);
  });

  test('asks the tables that the sources are mapped to', async () => {
    const tables = 'a_logs=other.logs.a-2026,b_logs=d2.b';
    const { code, asked } = await pull(
      { 'other/datasets/logs/tables/a-2026': table(fields), 'p/datasets/d2/tables/b': table(fields) },
      ['a_logs', 'b_logs'],
      { BIGQUERY_TABLES: tables },
    );
    expect(code).toBe(0);
    expect(asked).toEqual(['other/datasets/logs/tables/a-2026', 'p/datasets/d2/tables/b']);
  });

  test('takes all tables of the dataset where there are no sources yet, page by page', async () => {
    const pulled = await pull(
      {
        'p/datasets/d/tables': [200, { tables: listed('a_logs', 'odd-name'), nextPageToken: 'n/1' }],
        'p/datasets/d/tables?pageToken=n%2F1': [200, { tables: listed('b_logs', 'c-2026') }],
        'p/datasets/d/tables/a_logs': table(fields),
        'p/datasets/d/tables/b_logs': table(fields),
        'p/datasets/d/tables/c-2026': table(fields),
      },
      [],
      { BIGQUERY_TABLES: 'c_logs=c-2026' },
    );
    expect(pulled.code).toBe(0);
    expect(pulled.err).toMatch(/^odd-name: skipped, .*BIGQUERY_TABLES.*\n$/);
    expect((await readdir(folder)).sort()).toEqual(['a_logs.json', 'b_logs.json', 'c_logs.json']);
  });

  test('names the missing table, and continues', async () => {
    const { code, err, out } = await pull(
      {
        'p/datasets/d/tables/b_logs': googleError(403, 'accessDenied', 'Access Denied: Table p:d.b_logs'),
        'p/datasets/d/tables/c_logs': table(fields),
      },
      ['a_logs', 'b_logs', 'c_logs'],
    );
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^a_logs: there is no p\.d\.a_logs \(Not found: /),
      expect.stringMatching(/^b_logs: no access to p\.d\.b_logs: .*roles\/bigquery.*Access Denied/),
      '',
    ]);
    expect(out).toContain('c_logs: new');
    expect(out).toContain('1 source in');
  });

  test('leaves out columns of types that a source can not have, and names them', async () => {
    const odd = [
      ...fields,
      { name: 'validity', type: 'RANGE', rangeElementType: { type: 'DATE' } },
      { name: 'r', type: 'RECORD', fields: [{ name: 'f', type: 'FOREIGN' }] },
    ];
    const { code, err } = await pull({ 'p/datasets/d/tables/a_logs': table(odd) }, ['a_logs']);
    expect(code).toBe(0);
    expect(err).toBe(
      "a_logs: validity is skipped, sources can't have its type RANGE\n" +
        "a_logs: r.f is skipped, sources can't have its type FOREIGN\n",
    );
    expect(await readFile(join(folder, 'a_logs.json'), 'utf8')).not.toMatch(/RANGE|FOREIGN|"r"/);
  });

  test('writes no file of a table without columns', async () => {
    const { code, err } = await pull({ 'p/datasets/d/tables/a_logs': [200, {}] }, ['a_logs']);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('no columns') });
    expect(await readdir(folder)).toEqual([]);
  });

  test('finds BigQuery by the settings, or reports what is missing', async () => {
    const config = readConfig({ SOURCES_DIR: folder });
    const output = { out() {}, err() {} };
    await expect(pullCommand(config, output, [])).rejects.toThrow(ConfigError);
  });
});
