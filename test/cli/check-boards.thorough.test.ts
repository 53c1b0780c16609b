// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of boards have this form
import path from 'node:path';
import { expect, test } from 'vitest';
import { shownFile } from '../../src/base/system/shown-file.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

const columns = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];

const endpoint = `/*
id: 00000000-0000-4000-8000-000000000001
name: recent
sandbox: true
parameters:
  since: {type: TIMESTAMP, required: true}
*/
WITH good AS (SELECT id, timestamp FROM logs.good WHERE timestamp > @since)
SELECT id, timestamp FROM good
`;

test('check reports the errors of boards, of their queries too', async () => {
  const folder = await Workspace.create();
  try {
    await folder.write('sources/good.json', JSON.stringify(columns));
    await folder.write('endpoints/recent.sql', endpoint);
    await folder.write(
      'boards/a.yaml',
      `title: A
panels:
  - title: Right
    endpoint: recent
    parameters: {since: '\${from}'}
    sql: SELECT COUNT(*) AS n, \${step} AS step FROM good WHERE timestamp < TIMESTAMP(\${to})
    chart: {type: number, y: [n]}
  - title: All
    sql: SELECT id FROM good
  - title: Wrong
    endpoint: recent
    parameters: {since: '\${from}'}
    sql: SELECT nope FROM good
  - title: Wrong column
    endpoint: recent
    parameters: {since: yesterday}
    lql: f:good
    chart: {type: bars, x: time}
`,
    );
    await folder.write('boards/b.yaml', 'title: [');
    const { code, stderr } = await folder.run(['check']);
    const lines = stderr
      .replaceAll(`${shownFile(folder.path('.'))}/`, '')
      .trimEnd()
      .split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^boards\/a\.yaml:13:5: Unrecognized name: nope/),
      expect.stringMatching(/^boards\/a\.yaml:16:25: The parameter "since": expected a/),
      expect.stringMatching(/^boards\/b\.yaml:1:9: YAML: /),
      '3 errors',
    ]);
    expect(code).toBe(1);
    await folder.write(
      'boards/a.yaml',
      'title: A\npanels: [{title: B, endpoint: recent, parameters: {since: 2026-01-01}}]\n',
    );
    await folder.write('boards/b.yaml', 'title: B\n');
    const right = await folder.run(['check', '--quiet']);
    expect([right.code, right.stderr]).toEqual([0, '']);
    const { stdout } = await folder.run(['check', '--json']);
    expect(JSON.parse(stdout).boards).toEqual(['a', 'b']);
  } finally {
    await folder.remove();
  }
});

test.each(['schema', 'schema/gateway'])('the boards that are included have no errors: %s', async (folder) => {
  const workspace = await Workspace.create();
  try {
    const { code, stderr } = await workspace.run(['check', '--quiet'], {
      ENDPOINTS_DIR: path.resolve(folder, 'endpoints'),
      SOURCES_DIR: path.resolve('schema/sources'),
      RECORD_CALLS: 'true',
    });
    expect([code, stderr]).toEqual([0, '']);
  } finally {
    await workspace.remove();
  }
});
