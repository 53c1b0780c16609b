import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shownFile } from '../../../src/base/system/shown-file.ts';
import { inferCommand } from '../../../src/cli/sources/infer.ts';
import { showCommand } from '../../../src/cli/sources/show.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'show-'));
  await mkdir(join(folder, 'data/fields'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const write = (file: string, content: unknown) => writeFile(join(folder, file), JSON.stringify(content));

async function printed(command: (output: { out: Print; err: Print }) => Promise<number>) {
  let [out, err] = ['', ''];
  const code = await command({
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  const named = (text: string) =>
    [shownFile(folder), folder].reduce((shown, name) => shown.replaceAll(name, 'FOLDER'), text);
  return { code, out: named(out), err: named(err) };
}
type Print = (text: string) => void;

const show = (named?: string, options = {}) =>
  printed((output) =>
    showCommand(
      {
        sourcesDir: folder,
        dataDir: join(folder, 'data'),
        engine: 'duckdb',
        recordCalls: false,
        recordCallsDays: 90,
      },
      output,
      named,
      options,
    ),
  );

const needed = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];

test('sources show prints the sources, and the fields of one with those that rows have added', async () => {
  await write('a_logs.json', needed);
  await write('b_logs.json', {
    ...{
      aliases: ['b.logs', 'b'],
      retentionDays: 30,
      clustering: ['id', 'timestamp'],
      unknownFields: 'add',
      timestamp: 'at',
      timesOutOfRange: 'arrival',
      rename: { x: 'y' },
    },
    fields: [
      ...needed,
      { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'p', type: 'INTEGER' }] },
    ],
  });
  await write('data/fields/b_logs.json', [
    { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'q', type: 'BOOL' }] },
    { name: 'n', type: 'INT64' },
  ]);
  expect(await show()).toEqual({
    code: 0,
    out: [
      'SOURCE  FIELDS  UNKNOWN FIELDS  DAYS  ALIASES',
      'a_logs  2       reject          -',
      'b_logs  6       add             30    b.logs, b',
      '',
    ].join('\n'),
    err: '',
  });
  expect((await show('b.logs')).out).toBe(
    [
      'source           b_logs',
      'file             FOLDER/b_logs.json',
      'aliases          b.logs, b',
      'retentionDays    30',
      'clustering       id, timestamp',
      'unknownFields    add',
      'timestamp        at',
      'ordered by       timestamp',
      'identified by    id',
      'timesOutOfRange  arrival',
      'rename           x to y',
      '',
      'FIELD      TYPE',
      'id         STRING REQUIRED',
      'timestamp  TIMESTAMP',
      'm          RECORD REPEATED',
      '  p        INT64',
      '  q        BOOL             added',
      'n          INT64            added',
      '',
    ].join('\n'),
  );
  const { out } = await show('b_logs', { json: true });
  await rm(join(folder, 'data/fields'), { recursive: true });
  await writeFile(join(folder, 'b_logs.json'), out);
  expect((await show('b_logs', { json: true })).out).toBe(out);
});

test('sources show names what is wrong', async () => {
  await write('a_logs.json', [...needed, { name: 'x', type: 'X' }]);
  expect(await show()).toMatchObject({ code: 1, err: expect.stringContaining('a_logs.json:1:109: x: "X"') });
  await expect(show('a_logs')).rejects.toThrow('Unknown source "a_logs". Available: none');
});

test('sources infer prints a source file, and its doubts on standard error', async () => {
  const file = join(folder, 'rows.ndjson');
  await writeFile(file, '{"id":"a","timestamp":1700000000,"m":{"n":1},"x":null}\n');
  const { code, out, err } = await printed((output) => inferCommand(file, {}, output));
  expect([code, err]).toEqual([0, 'FOLDER/rows.ndjson: 1 row\n  x: it has no values; STRING is a guess\n']);
  await writeFile(join(folder, 'c_logs.json'), out);
  expect((await show('c_logs')).out).toContain('m          RECORD\n  n        INT64\n');
  await expect(printed((output) => inferCommand(join(folder, 'nothing'), {}, output))).rejects.toThrow(
    /^There is no file .*nothing\.$/,
  );
});
