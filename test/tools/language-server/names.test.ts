import { afterAll, beforeAll, expect, test } from 'vitest';
import { CompletionItemKind } from 'vscode-languageserver';
import { Editor, ProjectFolder, settings } from './support/editor.ts';

const file = 'endpoints/names.sql';
const more = `parameters:
  since: {type: TIMESTAMP, required: true, description: The first moment.}
  level: {values: [info, error], default: info}
`;
const head = settings(1, more);
const rest = 'WHERE e.timestamp > @since AND e.level = @level';

let folder: ProjectFolder;
let editor: Editor;
beforeAll(async () => {
  folder = await ProjectFolder.create({
    'sources/events.json': JSON.stringify({
      aliases: ['app.events'],
      retentionDays: 30,
      fields: [
        { name: 'id', type: 'STRING', mode: 'REQUIRED' },
        { name: 'timestamp', type: 'TIMESTAMP' },
        { name: 'level', type: 'STRING', description: 'How severe it is.' },
        {
          name: 'metadata',
          type: 'RECORD',
          mode: 'REPEATED',
          fields: [
            { name: 'host', type: 'STRING' },
            { name: 'request', type: 'RECORD', fields: [{ name: 'status', type: 'INT64' }] },
          ],
        },
      ],
    }),
    'sources/days.json': JSON.stringify({
      wildcard: 'DAY',
      fields: [
        { name: 'id', type: 'STRING' },
        { name: 'timestamp', type: 'TIMESTAMP' },
      ],
    }),
    'endpoints/.keep': '',
  });
  editor = new Editor(folder);
  await editor.start();
});
afterAll(async () => {
  await editor?.stop();
  await folder?.remove();
});

/** The first line of a hover text that says something. */
async function hover(query: string): Promise<string | undefined> {
  return (await editor.hover(file, head + query))?.replace(/^```sql\n/, '').split('\n')[0];
}

test('hovering over a column shows its type, its mode and its description', async () => {
  const text = await editor.hover(file, `${head}SELECT e.lev¦el FROM logs.events AS e ${rest}`);
  expect(text).toBe('```sql\nlevel STRING\n```\n\nNULLABLE\n\nHow severe it is.');
  expect(
    await hover(
      `SELECT id FROM logs.events AS e JOIN UNNEST(e.metadata) AS m ON m.request.stat¦us = 1 ${rest}`,
    ),
  ).toBe('status INT64');
});

test('hovering shows types that only the analyzer knows, once the query is valid', async () => {
  const query = (mark: (at: string) => string) =>
    `WITH counts AS (SELECT e.level, COUNT(*) AS ${mark('n')} FROM logs.events AS e ${rest} GROUP BY level) SELECT c.${mark('c.n')} + 1.5 AS ${mark('x')} FROM counts AS c`;
  const at = (wanted: string) => query((name) => (name === wanted ? `¦${name.at(-1)}` : `${name.at(-1)}`));
  await expect.poll(() => hover(at('n')), { interval: 200 }).toBe('n INT64');
  expect(await hover(at('c.n'))).toBe('n INT64');
  expect(await hover(at('x'))).toBe('x FLOAT64');
});

test('hovering over a parameter shows its rules, over a source its columns, over a function its signatures', async () => {
  expect(await editor.hover(file, `${head}SELECT id FROM logs.events AS e WHERE e.timestamp > @sin¦ce`)).toBe(
    '```sql\n@since TIMESTAMP\n```\n\nrequired\n\nThe first moment.',
  );
  expect(await editor.hover(file, `${head}SELECT id FROM logs.eve¦nts AS e ${rest}`)).toMatch(
    /^```sql\nlogs\.events\n {2}id STRING\n.*4 columns; rows are also sent to it as app\.events; rows are kept for 30 days$/s,
  );
  expect(await hover(`SELECT STRP¦OS(id, 'x') FROM logs.events AS e ${rest}`)).toBe(
    'STRPOS(STRING, STRING) -> INT64',
  );
  expect(await hover(`SELECT safe.Strp¦os(id, 'x') FROM logs.events AS e ${rest}`)).toBe(
    'STRPOS(STRING, STRING) -> INT64',
  );
  expect(await hover(`SELECT unkn¦own FROM logs.events AS e ${rest}`)).toBeUndefined();
});

test('hovering over a setting says what it means', async () => {
  expect(await editor.hover(file, head.replace('required', 'requ¦ired'))).toBe(
    '**required**: Whether a call without it, or with an empty text or list, is refused.\n\nOne of true, false.\n\nDefault: false',
  );
});

test('sources are offered after logs. and after FROM', async () => {
  expect(await editor.labels(file, `${head}SELECT id FROM logs.¦`)).toEqual(['logs.days_*', 'logs.events']);
  const [days, events] = await editor.complete(file, `${head}SELECT id FROM logs.ev¦`);
  expect(days?.textEdit).toMatchObject({ newText: '`logs.days_*`', range: { start: { character: 15 } } });
  expect(events?.textEdit).toMatchObject({ newText: 'logs.events', range: { end: { character: 22 } } });
  expect(await editor.labels(file, `${head}WITH w AS (SELECT 1 AS one) SELECT * FROM ¦`)).toEqual(
    expect.arrayContaining(['w', 'logs.events', 'UNNEST']),
  );
});

test('completions have the kinds, the order and the documentation of what they stand for', async () => {
  const from = 'FROM logs.events AS e CROSS JOIN UNNEST(e.metadata) AS m';
  expect(await editor.complete(file, `${head}SELECT m.request.s¦ ${from}`)).toMatchObject([
    { label: 'status', kind: CompletionItemKind.Field, detail: 'INT64' },
  ]);
  const all = await editor.complete(file, `${head}SELECT ¦ ${from}`);
  const item = (wanted: string) => all.find(({ label }) => label === wanted);
  expect(item('level')?.documentation).toMatchObject({ value: 'How severe it is.' });
  expect(item('@since')?.documentation).toMatchObject({
    value: expect.stringContaining('The first moment.'),
  });
  expect(item('STRPOS')).toMatchObject({
    kind: CompletionItemKind.Function,
    documentation: { kind: 'markdown', value: expect.stringContaining('STRPOS(STRING, STRING) -> INT64') },
  });
  const sorted = all.toSorted((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1));
  const places = ['level', 'e', 'STRPOS', 'CASE'].map((label) =>
    sorted.findIndex((each) => each.label === label),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('the columns that BigQuery adds to a source are offered', async () => {
  expect(await editor.labels(file, `${head}SELECT d.¦ FROM \`logs.days_*\` AS d`)).toEqual([
    'id',
    'timestamp',
    '_TABLE_SUFFIX',
  ]);
});

test('keys and values of the settings are offered', async () => {
  expect(await editor.labels(file, head.replace('name:', 'cache¦\nname:'))).toEqual(
    expect.arrayContaining(['cacheSeconds', 'parameters']),
  );
  expect(await editor.labels(file, head.replace('TIMESTAMP', '¦'))).toEqual(
    expect.arrayContaining(['TIMESTAMP', 'ARRAY<STRING>']),
  );
  expect(await editor.labels(file, head.replace('required', '¦'))).toEqual(
    expect.arrayContaining(['required', 'pattern']),
  );
  expect(await editor.labels(file, head.replace('*/', 'sandbox: ¦\n*/'))).toEqual(['true', 'false']);
  expect(await editor.labels(file, `${head.replace('*/', '  ¦\n*/')}SELECT @since, @level, @more`)).toEqual([
    'more',
  ]);
  expect(await editor.labels(file, head.replace('*/', 'redact:\n  - ¦\n*/'))).toEqual([
    'ip',
    'email',
    'token',
    'card',
  ]);
  expect(await editor.labels(file, '/*\n¦')).toContain('id');
});

test('keys and values of the settings are offered after any text, and below keys in quotes', async () => {
  const parameters = (text: string) => `/*\nparameters:\n${text}\n*/\n`;
  const types = expect.arrayContaining(['TIMESTAMP', 'ARRAY<STRING>']);
  for (const text of [
    '  a: {description: 😀😀, type: ¦}',
    `  a: {description: "one 😀😀, b: {", type: ¦}`,
    `  a: {description: 'it''s #1', type: ¦}`,
    `  a: {description: don't, type: ¦}`,
    '  "a": {type: ¦}',
    `  "a":\n    'type': ¦`,
  ]) {
    expect(await editor.labels(file, parameters(text)), text).toEqual(types);
  }
  expect(await editor.labels(file, parameters('  "a":\n    ¦'))).toContain('pattern');
  expect(await editor.labels(file, '/*\n"parameters": {"a": {¦')).toContain('pattern');
  expect(await editor.labels(file, '/*\n"parameters":\n  a:\n    ¦')).toContain('pattern');
  for (const text of ['  a: {type: "¦', '  a: # {type: ¦', '  # a: {type: ¦']) {
    expect(await editor.labels(file, parameters(text)), text).toEqual([]);
  }
  const [first] = await editor.complete(file, parameters('  a: {description: 😀, type: INT¦}'));
  expect(first?.textEdit).toMatchObject({ range: { start: { character: 29 }, end: { character: 32 } } });
});

test('definitions are found: the file of a source, the settings of a parameter, an entry of WITH', async () => {
  const source = await editor.definition(file, `${head}SELECT id FROM logs.even¦ts`);
  expect(source).toMatchObject({ uri: folder.uri('sources/events.json'), range: { start: { line: 0 } } });
  const parameter = await editor.definition(file, `${head}SELECT @lev¦el`);
  expect(parameter?.range).toEqual({ start: { line: 5, character: 2 }, end: { line: 5, character: 7 } });
  const entry = await editor.definition(file, `${head}WITH abc AS (SELECT 1 AS n) SELECT n FROM ab¦c`);
  expect(entry?.range).toEqual({ start: { line: 7, character: 5 }, end: { line: 7, character: 8 } });
  expect(await editor.symbols(file)).toMatchObject([
    { name: '@since', detail: 'TIMESTAMP' },
    { name: '@level' },
    { name: 'abc' },
  ]);
});

test('a parameter is found after texts of any characters, and in quotes', async () => {
  const comment = '/*\nparameters: {a: {description: "😀"}, "bc": {type: INT64}}\n*/\n';
  const found = await editor.definition(file, `${comment}SELECT @a, @b¦c`);
  const range = { start: { line: 1, character: 38 }, end: { line: 1, character: 40 } };
  expect(found?.range).toEqual(range);
  expect(await editor.symbols(file)).toMatchObject([{ name: '@a' }, { name: '@bc', range }]);
});
