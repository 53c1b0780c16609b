import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatProblem } from '../../../src/base/errors/problem.ts';
import { shownFile } from '../../../src/base/system/shown-file.ts';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { sourceByName } from '../../../src/definitions/sources/source.ts';
import { formatType } from '../../../src/sql/values/type.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sources-'));
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

const needed = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
];

async function load(files: Record<string, unknown>) {
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    await writeFile(join(dir, name), text);
  }
  const { sources, problems } = await loadSources(dir);
  return {
    sources,
    problems: problems.map((problem) => formatProblem(problem).replace(`${shownFile(dir)}/`, '')),
  };
}

describe('a folder of sources', () => {
  test('gives one source a file, named after it, in order', async () => {
    const { sources, problems } = await load({
      'b_logs.json': needed,
      'a_logs.json': needed,
      'README.md': 'x',
    });
    expect(problems).toEqual([]);
    expect(sources.map(({ name, file }) => [name, file])).toEqual([
      ['a_logs', shownFile(join(dir, 'a_logs.json'))],
      ['b_logs', shownFile(join(dir, 'b_logs.json'))],
    ]);
  });

  test('gives the shipped schemas', async () => {
    const { sources, problems } = await loadSources(join(import.meta.dirname, '../../../schema/sources'));
    expect(problems).toEqual([]);
    expect(sources).toHaveLength(9);
  });

  test('has a problem for what is no file, and its other sources', async () => {
    await symlink('/dev/zero', join(dir, 'zero.json'));
    const { sources, problems } = await load({ 'a_logs.json': needed });
    expect(problems).toEqual(['zero.json:1:1: cannot be read (it is not a file)']);
    expect(sources).toHaveLength(1);
  });

  test('is itself a problem when it cannot be read', async () => {
    const { problems } = await loadSources(join(dir, 'nowhere'));
    expect(problems).toEqual([
      {
        file: shownFile(join(dir, 'nowhere')),
        line: 1,
        column: 1,
        text: 'cannot be read (no such file or directory); SOURCES_DIR names this folder',
      },
    ]);
  });

  test('reports all errors of all files together, each with its position', async () => {
    const { sources, problems } = await load({
      'good.json': needed,
      'bad-name.json': needed,
      'bytes.json': Buffer.from([0xff, 0xfe]),
      'syntax.json': '[\n  {"name": }\n]',
      'empty.json': [],
      'described.json':
        '{"wildcard": "DAY",\n"fields": [{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "STRING"}]}',
      'kinds.json': `{"wildcard": "HOUR", "fields": ${JSON.stringify(needed)}}`,
      'both.json': `{"wildcard": "DAY", "partitioned": "DAY", "fields": ${JSON.stringify(needed)}}`,
      'key.json': `{"retention": 5,\n"colour": 1, "fields": [{"nam": "id", "type": "STRING"}]}`,
      'other.json': `{"wildcards": "DAY", "fields": ${JSON.stringify(needed)}}`,
      'reserved.json': '[{"name": "_table_suffix", "type": "STRING"}]',
      'shape.json': '"fields"',
      'types.json': `[
  {"name": "id", "type": "STRING", "mode": "REQUIRED"},
  {"name": "timestamp", "type": "INT64"},
  {"name": "a", "type": "RANGE"},
  {"name": "r", "type": "RECORD", "mode": "REPEATED", "fields": [
    {"name": "x", "type": "STRING"},
    {"name": "X", "type": "VARCHAR"}]},
  {"name": "n", "type": "RECORD"},
  {"name": "s", "type": "STRING", "fields": [{"name": "x", "type": "STRING"}]},
  {"name": "A", "type": "STRING"},
  {"name": "a.b", "type": "STRING"}
]`,
      'forms.json': '[\n{"name": "x", "type": "STRING", "mode": "OPTIONAL"},\n{"name": 5, "type": "STRING"}]',
    });
    expect(sources.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([
      'bad-name.json:1:1: "bad-name" is not a valid source name (letters, digits and _)',
      'both.json:1:1: a source is either wildcard or partitioned',
      'bytes.json:1:1: not UTF-8',
      `described.json:2:76: timestamp is of type STRING, by which rows can't be ordered: name another column by "timestamp", or say "timestamp": null`,
      'empty.json:1:1: a source needs a column',
      'forms.json:2:41: mode: one of NULLABLE, REQUIRED, REPEATED',
      'forms.json:3:10: name: expected a text, got 5',
      'key.json:1:15: Unknown key "retention". Did you mean "retentionDays"?',
      'key.json:2:11: Unknown key "colour"; known: fields, wildcard, partitioned, was, aliases, retentionDays, clustering, unknownFields, conflicts, timestamp, id, unique, lateSeconds, sliceSeconds, requireTimeBound, timesOutOfRange, rename',
      'key.json:2:25: name: is missing',
      'kinds.json:1:14: wildcard: expected "DAY"',
      'other.json:1:15: Unknown key "wildcards". Did you mean "wildcard"?',
      'reserved.json:1:11: BigQuery reserves names such as _table_suffix',
      'shape.json:1:1: a table schema is an array of fields',
      'syntax.json:2:12: not JSON: expected a value, found "}"',
      `types.json:3:33: timestamp is of type INT64, by which rows can't be ordered: name another column by "timestamp", or say "timestamp": null`,
      'types.json:4:25: a: "RANGE" is not a type that a source can have',
      'types.json:7:14: the column X occurs twice (letter case is ignored)',
      'types.json:7:27: X: "VARCHAR" is not a type that a source can have',
      'types.json:8:3: n is a RECORD without fields',
      'types.json:9:45: s is of type STRING, only a RECORD has fields',
      'types.json:10:12: the column A occurs twice (letter case is ignored)',
      'types.json:11:12: "a.b" is not a valid column name',
    ]);
  });

  test('reads what queries can know about a table besides its columns', async () => {
    const { sources, problems } = await load({
      'w.json': `{"wildcard": "DAY", "fields": ${JSON.stringify(needed)}}`,
      'p.json': `{"fields": ${JSON.stringify(needed)}, "partitioned": "DAY"}`,
    });
    expect(problems).toEqual([]);
    expect(sources).toEqual([
      expect.objectContaining({ name: 'p', partitioned: 'DAY' }),
      expect.objectContaining({ name: 'w', wildcard: 'DAY' }),
    ]);
  });

  test('reads how rows come in and how long they stay', async () => {
    const settings = {
      aliases: ['shop.logs-2', 'orders/v1'],
      retentionDays: 30,
      clustering: ['event_message', 'ID'],
      lateSeconds: 0,
      sliceSeconds: 86_400,
      requireTimeBound: true,
      unknownFields: 'ignore',
      timestamp: 'metadata.time',
      rename: { msg: 'event_message', 'app.name': 'metadata.app' },
    };
    const fields = [
      ...needed,
      { name: 'event_message', type: 'STRING' },
      { name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'app', type: 'STRING' }] },
    ];
    const { sources, problems } = await load({
      'object.json': { ...settings, fields },
      'array.json': needed,
      'other.json': { timestamp: ['at', 'time'], fields: needed },
    });
    expect(problems).toEqual([]);
    const [array, object, other] = sources;
    expect(array).toMatchObject({ aliases: [], unknownFields: 'reject', rename: [] });
    expect(object).toMatchObject({
      ...settings,
      timestamp: ['metadata.time'],
      rename: [
        { from: 'msg', to: 'event_message' },
        { from: 'app.name', to: 'metadata.app' },
      ],
    });
    expect(other).toMatchObject({ timestamp: ['at', 'time'] });
    expect(sourceByName(sources, 'shop.logs-2')).toBe(object);
    expect(sourceByName(sources, 'array')).toBe(array);
    expect(sourceByName(sources, 'ARRAY')).toBeUndefined();
  });

  test('refuses to take the place of the sources that the gateway itself writes', async () => {
    const fields = JSON.stringify(needed);
    const { sources, problems } = await load({
      'a.json': `{"aliases": ["Gateway.calls"], "fields": ${fields}}`,
      'b.json': `{"was": "gateway.changes", "fields": ${fields}}`,
      'gateway.calls.json': fields,
    });
    expect(sources).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^a\.json:1:.*names that begin with "gateway\." are those of the gateway itself/),
      expect.stringMatching(/^b\.json:1:.*names that begin with "gateway\." are those of the gateway itself/),
      expect.stringMatching(/^gateway\.calls\.json:1:1: "gateway\.calls" is not a valid source name/),
    ]);
  });

  test('refuses settings at their place, and names that two sources would have', async () => {
    const fields = JSON.stringify(needed);
    const { sources, problems } = await load({
      'a.json': `{"aliases": ["x.logs", "b",\n"a", "two words"], "fields": ${fields}}`,
      'b.json': `{"aliases": [\n"X.logs", "b2",\n"B2"], "fields": ${fields}}`,
      'c.json': `{"aliases": ["x.logs",\n"b",\n"c"], "fields": ${fields}}`,
      'd.json': `{"retentionDays": 0.5,\n"unknownFields": "drop",\n"timestamp": [],\n"rename": {"a": "b..c"}, "fields": ${fields}}`,
      'e.json': `{"rename": {"a": "id",\n"b": "nowhere"}, "fields": ${fields}}`,
      'f.json': `{"rename": {"b": "nowhere"}, "unknownFields": "add", "fields": ${fields}}`,
      'g.json': `{"lateSeconds": -1,\n"sliceSeconds": 0, "fields": ${fields}}`,
      'h.json': `{"requireTimeBound": "yes", "fields": ${fields}}`,
      'i.json': `{"requireTimeBound": true, "wildcard": "DAY", "fields": ${fields}}`,
      'j.json': `{"requireTimeBound": true, "timestamp": null, "fields": [{"name": "id", "type": "STRING"}]}`,
      'k.json': `{"requireTimeBound": true, "timestamp": "day", "fields": [{"name": "day", "type": "DATE"}]}`,
    });
    expect(sources.map(({ name }) => name)).toEqual(['f']);
    expect(problems).toEqual([
      'a.json:2:6: expected a name of letters, digits and _ . : / -',
      'b.json:3:1: B2 is already a name of this source',
      'c.json:1:14: x.logs is already a name of the source b',
      'c.json:2:1: b is already a name of the source b',
      'c.json:3:1: c is already a name of this source',
      'd.json:1:19: retentionDays: expected a whole number of days from 1 to 36500',
      'd.json:2:18: unknownFields: one of reject, ignore, add, json',
      'd.json:3:14: timestamp: expected the name of a column, a path of field names, an array of them, or null',
      'd.json:4:17: a: expected a path of field names, with dots between them',
      'e.json:2:6: the source has no field nowhere',
      'g.json:1:17: lateSeconds: expected a whole number of seconds from 0 to 3153600000',
      'g.json:2:17: sliceSeconds: expected a whole number of seconds from 1 to 3153600000',
      'h.json:1:22: requireTimeBound: expected true or false',
      'i.json:1:1: requireTimeBound is for sources of one table, not for a wildcard',
      'j.json:1:22: the rows have no time: name the column that orders them by "timestamp"',
      'k.json:1:22: the rows are ordered by day, which is not a TIMESTAMP',
    ]);
  });

  test('refuses clustering by what BigQuery can not cluster by, at its place', async () => {
    const columns = ['BYTES', 'FLOAT64', 'TIME', 'JSON', 'INT64', 'BOOL', 'DATE', 'DATETIME', 'NUMERIC'];
    const fields = JSON.stringify([
      ...needed,
      ...columns.map((type) => ({ name: `a_${type}`, type })),
      { name: 'tags', type: 'STRING', mode: 'REPEATED' },
      { name: 'r', type: 'RECORD', fields: [{ name: 'x', type: 'STRING' }] },
    ]);
    const { problems } = await load({
      'a.json': `{"clustering": ["id",\n"nowhere",\n"r.x",\n"ID"], "fields": ${fields}}`,
      'b.json': `{"clustering": ["a_BYTES",\n"a_FLOAT64",\n"tags",\n"r"], "fields": ${fields}}`,
      'c.json': `{"clustering": ["a_TIME",\n"a_JSON"], "fields": ${fields}}`,
      'd.json': `{"clustering": ["a_INT64", "a_BOOL", "a_DATE", "a_NUMERIC"], "fields": ${fields}}`,
      'e.json': `{"clustering": ["a_INT64", "a_BOOL", "a_DATE", "a_NUMERIC", "id"], "fields": ${fields}}`,
      'f.json': `{"clustering": [], "fields": ${fields}}`,
      'g.json': `{"clustering": "id", "fields": ${fields}}`,
    });
    expect(problems).toEqual([
      'a.json:2:1: the source has no column nowhere',
      'a.json:3:1: the source has no column r.x',
      'a.json:4:1: the column ID is named twice',
      "b.json:1:17: rows can't be clustered by a column of type BYTES: a_BYTES",
      "b.json:2:1: rows can't be clustered by a column of type FLOAT64: a_FLOAT64",
      'b.json:3:1: the column tags is repeated',
      "b.json:4:1: rows can't be clustered by a column of type STRUCT: r",
      "c.json:1:17: rows can't be clustered by a column of type TIME: a_TIME",
      "c.json:2:1: rows can't be clustered by a column of type JSON: a_JSON",
      'e.json:1:16: clustering: expected an array of 1 to 4 names of columns',
      'f.json:1:16: clustering: expected an array of 1 to 4 names of columns',
      'g.json:1:16: clustering: expected an array of 1 to 4 names of columns',
    ]);
  });

  test('refuses fields that would have to be added to a table of BigQuery', async () => {
    await writeFile(join(dir, 'a.json'), JSON.stringify({ unknownFields: 'add', fields: needed }));
    const { problems } = await loadSources(dir, { isStored: false });
    expect(problems.map(({ text }) => text)).toEqual(['fields can be added on the embedded engine only']);
  });

  test.skipIf(process.platform === 'darwin')('refuses names that differ only in letter case', async () => {
    const { problems } = await load({ 'good.json': needed, 'Good.json': needed });
    expect(problems).toEqual(['good.json:1:1: the source good differs from Good.json only in letter case']);
  });

  test('reads types in the legacy and the standard spelling, modes, and whatever else bq prints', async () => {
    const { sources } = await load({
      't.json': [
        { name: 'ID', type: 'string' },
        { name: 'timestamp', type: 'TIMESTAMP', mode: 'nullable', description: 'when' },
        { name: 'i', type: 'INTEGER', policyTags: { names: ['x'] } },
        { name: 'f', type: 'FLOAT', mode: 'REPEATED' },
        { name: 'b', type: 'BOOLEAN', maxLength: '5' },
        { name: 'n', type: 'BIGNUMERIC', precision: '40' },
        { name: 'g', type: 'GEOGRAPHY' },
        {
          name: 'r',
          type: 'STRUCT',
          mode: 'REPEATED',
          fields: [{ name: 'x', type: 'INT64', mode: 'REQUIRED' }],
        },
      ],
    });
    const columns = sources[0]?.columns ?? [];
    expect(columns.map(({ name, type, mode }) => `${name} ${formatType(type)} ${mode}`)).toEqual([
      'ID STRING NULLABLE',
      'timestamp TIMESTAMP NULLABLE',
      'i INT64 NULLABLE',
      'f ARRAY<FLOAT64> REPEATED',
      'b BOOL NULLABLE',
      'n BIGNUMERIC NULLABLE',
      'g GEOGRAPHY NULLABLE',
      'r ARRAY<STRUCT<x INT64>> REPEATED',
    ]);
    expect(columns[1]?.description).toBe('when');
    expect(columns[7]?.fields[0]?.mode).toBe('REQUIRED');
  });
});
