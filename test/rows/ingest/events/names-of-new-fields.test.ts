import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldName } from '../../../../src/base/text/graphql-names.ts';
import { mergeFields } from '../../../../src/definitions/sources/merge-fields.ts';
import { parseSource } from '../../../../src/definitions/sources/parse-source.ts';
import { schemaText } from '../../../../src/definitions/sources/schema-text.ts';
import { sentName } from '../../../../src/definitions/sources/sent-name.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { appSource, parse, reasons, rowOf } from './support.ts';

const source = appSource({ unknownFields: 'add' });
const [id, timestamp] = ['given', '2024-02-09T01:02:03Z'];

/** The new fields of a body: their names, and the names that events have for them. */
function names(body: unknown, of = source): string[][] {
  const parsed = parse(body, of);
  expect(reasons(parsed)).toEqual([]);
  return parsed.newFields.flatMap(({ fields }) => fields.map((field) => [field.name, sentName(field)]));
}

/** The source after a body, read back from its file and that of the added fields. */
function grownBy(body: unknown, of: Source = source, added = '[]'): { grown: Source; added: string } {
  const fields = parse(body, of).newFields.flatMap((each) => each.fields);
  const all = schemaText(mergeFields(JSON.parse(added), fields));
  const own = JSON.stringify({
    unknownFields: 'add',
    fields: [
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
    ],
  });
  const grown = parseSource('app', 'app.json', own, { added: { file: 'fields.json', text: all } });
  if (!('columns' in grown)) throw new Error(JSON.stringify(grown));
  return { grown, added: all };
}

describe('a name that a column can’t have is rewritten, and its description says the name', () => {
  test.each([
    ['log.level', 'log_level'],
    ['@version', '_version'],
    ['app.kubernetes.io/name', 'app_kubernetes_io_name'],
    ['größe', 'gr__e'],
    ['a"b`c\\d', 'a_b_c_d'],
    ['line\nbreak', 'line_break'],
    ['_PARTITIONTIME', '__PARTITIONTIME'],
    ['_table_x', '__table_x'],
    ['RowId', '_RowId'],
    ['名前', '___7ec262'],
    ['', '__e3b0c4'],
    ['.', '__cdb4ee'],
    ['x'.repeat(301), `${'x'.repeat(100)}_e4c11e`],
  ])('%j is %j', (sent, name) => {
    const [field, ...others] = parse([{ [sent]: 1 }], source).newFields.flatMap(({ fields }) => fields);
    expect(others).toEqual([]);
    expect(field).toMatchObject({ type: 'INT64', description: `Sent as ${JSON.stringify(sent)}.` });
    expect(field?.name).toBe(name);
  });

  test.each(['level', 'trace-id', 'a b', 'x:y', 'metadata2', '7days', '__typename'])('%j stays', (name) => {
    expect(parse([{ [name]: 1 }], source).newFields).toMatchObject([{ fields: [{ name }] }]);
    expect(names([{ [name]: 1 }])).toEqual([[name, name]]);
  });

  test('within records too, where nothing is reserved', () => {
    const [field] = parse([{ 'a.b': { 'c.d': 1, _PARTITIONTIME: 2 } }], source).newFields[0]?.fields ?? [];
    expect(field).toMatchObject({
      name: 'a_b',
      fields: [{ name: 'c_d', description: 'Sent as "c.d".' }, { name: '_PARTITIONTIME' }],
    });
  });
});

describe('names that would be the same are kept apart', () => {
  const both = [
    ['a_b', 'a_b'],
    ['a_b_2e7336', 'a.b'],
  ];
  test('in whatever order they are, in an event or in several of a body', () => {
    const sorted = (body: unknown) => names(body).sort();
    expect(sorted([{ 'a.b': 1, a_b: 2 }])).toEqual(both);
    expect(sorted([{ a_b: 2, 'a.b': 1 }])).toEqual(both);
    expect(sorted([{ 'a.b': 1 }, { a_b: 2 }])).toEqual(both);
    expect(sorted([{ 'a.b': 'text' }, { a_b: 2 }])).toEqual(both);
  });

  test('across bodies, each name keeps its field, and the later one gets another', () => {
    const first = grownBy([{ 'a.b': 1 }]);
    expect(names([{ a_b: 2 }], first.grown)).toEqual([['a_b_648fa9', 'a_b']]);
    const { grown } = grownBy([{ a_b: 2 }], first.grown, first.added);
    expect(names([{ a_b: 1, 'a.b': 2, 'A.B': undefined }], grown)).toEqual([]);
    expect(rowOf({ id, timestamp, a_b: 1, 'a.b': 2 }, grown)).toMatchObject({ a_b: '2', a_b_648fa9: '1' });
  });

  test('in records that several events bring, in parts', () => {
    const first = grownBy([{ r: { 'x.y': 1 } }]);
    const [record] = parse([{ r: { x_y: 2 } }], first.grown).newFields[0]?.fields ?? [];
    expect(record).toMatchObject({
      name: 'r',
      fields: [{ name: 'x_y_f9068e', description: 'Sent as "x_y".' }],
    });
  });

  test('names that would be one in GraphQL', () => {
    expect(names([{ user_id: 1 }, { userId: 2 }, { 'user id': 3 }])).toEqual([
      ['user_id_f89d6b', 'user_id'],
      ['userId_6ccb21', 'userId'],
      ['user id', 'user id'],
    ]);
    const inRecord = parse([{ metadata: { 'a-bc': 1, aBc: 2 } }], source).newFields[0]?.fields[0];
    expect(inRecord?.fields?.map(({ name }) => name)).toEqual(['a-bc', 'aBc_516dd8']);
  });

  test('a field that the source declares is the one of its name only', () => {
    expect(names([{ 'event.message': 1 }])).toEqual([['event_message_7227e1', 'event.message']]);
  });
});

test('a name that is already like a made one', () => {
  const made = names([{ 'a.b': 1, a_b: 2, a_b_2e7336: 3 }]);
  expect(made.map(([, sent]) => sent)).toEqual(['a.b', 'a_b', 'a_b_2e7336']);
  expect(new Set(made.map(([name]) => name)).size).toBe(3);
});

test('a name that is not valid Unicode rejects its event', () => {
  expect(reasons(parse('{"\\ud800":1,"\\ud801":2}', source))).toEqual([
    'event 1: type: other_fields: not valid Unicode (half of a surrogate pair)',
  ]);
});

test('a setting may rename a field to one that was rewritten', () => {
  const { grown } = grownBy([{ 'log.level': 'x' }]);
  const renaming = { ...grown, rename: [{ from: 'lvl', to: 'log_level' }] };
  expect(names([{ lvl: 'x' }], renaming)).toEqual([]);
  expect(rowOf({ id, timestamp, lvl: 'x' }, renaming)).toMatchObject({ log_level: 'x' });
});

test('the source’s own file may declare a rewritten field, with or without its description', () => {
  const { added } = grownBy([{ 'log.level': 'x' }]);
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'log_level', type: 'STRING' },
  ];
  const own = JSON.stringify({ unknownFields: 'add', fields });
  const declared = parseSource('app', 'app.json', own, { added: { file: 'fields.json', text: added } });
  if (!('columns' in declared)) throw new Error(JSON.stringify(declared));
  expect(rowOf({ id, timestamp, 'log.level': 'x' }, declared)).toMatchObject({ log_level: 'x' });
});

test('any names make fields that a source, SQL and GraphQL can have, and the event is a row of it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.constantFrom('a.b', 'a_b', 'a/b', 'aB', 'a-b', 'A_B', '_a', 'rowid', '__ROOT__', '_FILE_x'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 8, selector: (name) => name.toLowerCase() }), (given) => {
      const taken =
        /^(?:id|timestamp|time|@timestamp|event_message|message|msg|project|metadata|other_fields)$/i;
      const sent = given.filter((name) => !taken.test(name) && name !== '__proto__');
      const event = Object.fromEntries(sent.map((name) => [name, 'x']));
      const made = names([event]);
      expect(made.map(([, name]) => name).sort()).toEqual([...sent].sort());
      const inGraphql = made.map(([name = '']) => fieldName(name));
      expect(inGraphql).not.toContain(undefined);
      expect(new Set(inGraphql).size).toBe(made.length);
      const { grown } = grownBy([event]);
      const row = rowOf({ id, timestamp, ...event }, grown);
      for (const [name = ''] of made) expect(row[name]).toBe('x');
      // Not even the order of its members counts.
      const reversed = Object.fromEntries(Object.entries(event).reverse());
      expect(names([reversed]).sort()).toEqual([...made].sort());
    }),
    { numRuns: 200 },
  );
});
