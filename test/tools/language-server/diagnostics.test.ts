import { afterAll, beforeAll, expect, test } from 'vitest';
import { Editor, ProjectFolder, settings, uuid } from './support/editor.ts';

const columns = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];

let folder: ProjectFolder;
let editor: Editor;
beforeAll(async () => {
  folder = await ProjectFolder.create({
    'sources/events.json': JSON.stringify(columns),
    'endpoints/good.sql': `${settings(1)}SELECT id FROM logs.events\n`,
    'endpoints/bad.sql': `${settings(2)}SELECT nothing FROM logs.events\n`,
  });
  editor = new Editor(folder);
  await editor.start();
});
afterAll(async () => {
  await editor?.stop();
  await folder?.remove();
});

test('problems of files that are not open are shown, at the names that they are about', async () => {
  await editor.expectProblems('endpoints/bad.sql', ['5:8-15 Unrecognized name: nothing']);
});

test('an open file is checked as it is in the editor, and has no problems when they are gone', async () => {
  await editor.write('endpoints/good.sql', `${settings(1)}SELECT "🎈", wrong FROM logs.events\n`);
  await editor.expectProblems('endpoints/good.sql', [
    expect.stringMatching(/^5:14-19 Unrecognized name: wrong/),
  ]);
  await editor.write('endpoints/good.sql', `${settings(1)}SELECT id FROM logs.events\n`);
  await editor.expectProblems('endpoints/good.sql', []);
});

test('errors in settings are marked where they are after texts of any characters', async () => {
  const parameters = 'parameters: {"a": {description: "😀", type: INT64}, bb: {type: INT6}}\n';
  await editor.write('endpoints/good.sql', `${settings(1, parameters)}SELECT @a AS a, @bb AS b\n`);
  await editor.expectProblems('endpoints/good.sql', [expect.stringMatching(/^4:64-68 Bad setting .*type/)]);
  const broken = 'description: {"😀": 1, bb: 2, bb: 3}\n';
  await editor.write('endpoints/good.sql', `${settings(1, broken)}SELECT id FROM logs.events\n`);
  await editor.expectProblems('endpoints/good.sql', [expect.stringMatching(/^4:31-33 .*unique/)]);
  await editor.write('endpoints/good.sql', `${settings(1)}SELECT id FROM logs.events\n`);
  await editor.expectProblems('endpoints/good.sql', []);
});

test('everything that check finds is shown', async () => {
  const refused = `${settings(3, 'colour: red\n')}SELECT @undeclared AS value\n`;
  await editor.write('endpoints/new.sql', refused);
  await editor.expectProblems('endpoints/new.sql', [
    '4:1-7 Unknown key "colour" in the settings',
    '6:8-19 Parameter "undeclared" is not declared in the settings',
  ]);
  await editor.write('endpoints/new.sql', `${settings(3)}SELECT ST_GEOGPOINT(1, 2) AS place\n`);
  await editor.expectProblems('endpoints/new.sql', [expect.stringContaining('cannot run this endpoint')]);
  await editor.write('endpoints/new.sql', `${settings(3)}SELECT 1 AS user_id, 2 AS userId\n`);
  await editor.expectProblems('endpoints/new.sql', [
    expect.stringContaining('would both be userId in GraphQL'),
  ]);
  await editor.write('endpoints/new.sql', `/*\nid: ${uuid(1)}\nname: other\n*/\nSELECT 1 AS one\n`);
  await editor.expectProblems('endpoints/new.sql', [expect.stringContaining(`also has "${uuid(1)}"`)]);
  await editor.close('endpoints/new.sql');
  await editor.expectProblems('endpoints/new.sql', []);
});

test('a change of a source is checked with the endpoints that read it, and broken text leaves them alone', async () => {
  const source = (more: object) => JSON.stringify([...columns, more]);
  await editor.write('endpoints/level.sql', `${settings(4)}SELECT e.level FROM logs.events AS e\n`);
  await editor.expectProblems('endpoints/level.sql', [
    expect.stringContaining('Name level not found inside e'),
  ]);
  await editor.write('sources/events.json', source({ name: 'level', type: 'STRING' }));
  await editor.expectProblems('endpoints/level.sql', []);
  await editor.write('sources/events.json', source({ name: 'level', type: 'TEXT' }));
  await editor.expectProblems('sources/events.json', [
    expect.stringMatching(/^1:\d+-\d+ level: "TEXT" is not a type/),
  ]);
  expect(editor.problems('endpoints/level.sql')).toEqual([]);
  await editor.write('sources/events.json', source({ name: 'level', type: 'STRING' }));
  await editor.expectProblems('sources/events.json', []);
  await editor.close('endpoints/level.sql');
});

test('changes on the disk are seen', async () => {
  await folder.write('endpoints/bad.sql', `${settings(2)}SELECT id AS fixed FROM logs.events\n`);
  await editor.expectProblems('endpoints/bad.sql', []);
});

test('a huge file is refused and everything else goes on', async () => {
  await editor.write('endpoints/huge.sql', `${settings(5)}SELECT 1 AS one -- ${'x'.repeat(5_000_000)}\n`);
  await editor.expectProblems('endpoints/huge.sql', ['1:1-2 cannot be read (it is longer than 4 MiB)']);
  await editor.write('endpoints/good.sql', `${settings(1)}SELECT FROM\n`);
  await editor.expectProblems('endpoints/good.sql', [expect.stringContaining('Syntax error')]);
  await editor.close('endpoints/huge.sql');
  await editor.close('endpoints/good.sql');
  await editor.expectProblems('endpoints/good.sql', []);
});
