import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/definitions/sources/parse-source.ts';
import { idColumn, isMerged, isReference, timeColumn } from '../../../src/definitions/sources/row-key.ts';
import { schemaText } from '../../../src/definitions/sources/schema-text.ts';
import { tableFields } from '../../../src/definitions/sources/table-field.ts';

const fields = [
  { name: 'id', type: 'INT64' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'order_no', type: 'NUMERIC' },
  { name: 'created_at', type: 'TIMESTAMP' },
  { name: 'day', type: 'DATE' },
  { name: 'epoch', type: 'INT64' },
  { name: 'data', type: 'JSON' },
  { name: 'list', type: 'STRING', mode: 'REPEATED' },
];

const parsed = (content: unknown) => parseSource('s', 's.json', JSON.stringify(content));

function keyOf(content: unknown): { time: string | undefined; id: string | undefined } {
  const source = parsed(content);
  if (!('columns' in source)) throw new Error(JSON.stringify(source));
  return { time: timeColumn(source)?.name, id: idColumn(source)?.name };
}

function problemsOf(settings: object, columns: readonly object[] = fields): string[] {
  const problems = parsed({ ...settings, fields: columns });
  return 'columns' in problems ? [] : problems.map(({ text }) => text);
}

describe('the key of rows', () => {
  test.each([
    ['has the usual columns by default', {}, { time: 'timestamp', id: 'id' }],
    [
      'has the columns that the file names',
      { timestamp: 'created_at', id: 'order_no' },
      { time: 'created_at', id: 'order_no' },
    ],
    ['has a date', { timestamp: 'DAY' }, { time: 'day', id: 'id' }],
    [
      'has the usual time where the file names a path or another type',
      { timestamp: 'epoch' },
      { time: 'timestamp', id: 'id' },
    ],
    [
      'has no time or id if the file says so',
      { timestamp: null, id: null },
      { time: undefined, id: undefined },
    ],
  ])('%s', (_, settings, expected) => {
    expect(keyOf({ ...settings, fields })).toEqual(expected);
  });

  test('has neither without such columns', () => {
    const source = parsed([{ name: 'code', type: 'STRING' }]);
    expect('columns' in source && isReference(source)).toBe(true);
    expect('columns' in source && isMerged(source)).toBe(false);
  });

  test('has no column that rows have added', () => {
    const added = { file: 'added.json', text: JSON.stringify([{ name: 'timestamp', type: 'TIMESTAMP' }]) };
    const text = JSON.stringify({ unknownFields: 'add', fields: [{ name: 'code', type: 'STRING' }] });
    const source = parseSource('s', 's.json', text, { added });
    expect('columns' in source && isReference(source)).toBe(true);
  });

  test('is in the text of the file', () => {
    const source = parsed({ timestamp: null, id: 'order_no', fields });
    if (!('columns' in source)) throw new Error('no source');
    const written = JSON.parse(schemaText(tableFields(source.columns), source));
    expect(written).toMatchObject({ timestamp: null, id: 'order_no' });
    expect(keyOf(written)).toEqual({ time: undefined, id: 'order_no' });
  });
});

describe('a file is refused', () => {
  test.each([
    ['with an id that is no column', { id: 'number' }, ['the source has no column number']],
    ['with an id that is JSON', { id: 'data' }, ["data is of type JSON, by which rows can't be identified"]],
    ['with an id that is a list', { id: 'list' }, ["list is REPEATED, by which rows can't be identified"]],
  ])('%s', (_, settings, expected) => {
    expect(problemsOf(settings)).toEqual(expected);
  });

  test('with a usual column of a type that has no such use', () => {
    expect(
      problemsOf({}, [
        { name: 'id', type: 'JSON' },
        { name: 'timestamp', type: 'INT64' },
      ]),
    ).toEqual([
      `timestamp is of type INT64, by which rows can't be ordered: name another column by "timestamp", or say "timestamp": null`,
      `id is of type JSON, by which rows can't be identified: name another column by "id", or say "id": null`,
    ]);
  });

  test('with a time that has no column', () => {
    const columns = [{ name: 'epoch', type: 'INT64' }];
    expect(problemsOf({ timestamp: 'at' }, columns)).toEqual([
      'the source has no column at, and none named timestamp that could get its value',
    ]);
    expect(problemsOf({ timestamp: 'epoch' }, columns)).toEqual([
      "epoch is of type INT64, by which rows can't be ordered: it must be a single TIMESTAMP, DATETIME or DATE",
    ]);
  });

  test('with settings for times where rows have none', () => {
    const settings = { wildcard: 'DAY', retentionDays: 5, timesOutOfRange: 'arrival', timestamp: null };
    const text = 'the rows have no time: name the column that orders them by "timestamp"';
    expect(problemsOf(settings)).toEqual([text, text, text]);
  });
});
