import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterAll(() => workspace?.remove());

const lql = async (...args: string[]) => {
  const { code, stdout, stderr } = await workspace.run(['lql', ...args]);
  return { code, stdout, stderr };
};

test('lql prints the SQL that a text becomes, without any data', async () => {
  const sql = [
    'SELECT t.`id`',
    'FROM `edge_logs` AS t',
    "WHERE (t.`event_message` IS NULL OR NOT (STRPOS(t.`event_message`, 'error') > 0))",
    'ORDER BY t.`timestamp` DESC\n',
  ];
  const printed = { code: 0, stdout: sql.join('\n'), stderr: '' };
  expect(await lql('-error f:edge_logs s:id', '--endpoint', 'logs.all')).toEqual(printed);
});

test('lql shows the place of a mistake', async () => {
  const stderr = [
    'LQL: metadata has no field level; it has request, response, load_balancer_redirect_identifier [at 1:15]',
    'f:edge_logs m.level:error',
    '              ^\n',
  ];
  const refused = { code: 1, stdout: '', stderr: stderr.join('\n') };
  expect(await lql('f:edge_logs m.level:error', '--endpoint', 'logs.all')).toEqual(refused);
});

test('lql lists the endpoints when the named one does not exist', async () => {
  const stderr = '--endpoint logs: unknown endpoint; available: logs.all, usage.api-counts\n';
  expect(await lql('error', '--endpoint', 'logs')).toEqual({ code: 2, stdout: '', stderr });
});
