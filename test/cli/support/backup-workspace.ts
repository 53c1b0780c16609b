import { Workspace } from '../../acceptance/support/workspace.ts';

/** A workspace with the sources `first` and `second`, to which `Senders` send. */
export async function backupWorkspace(): Promise<Workspace> {
  const workspace = await Workspace.create();
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'request', type: 'STRING' },
    { name: 'meta', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'path', type: 'STRING' }] },
  ];
  for (const name of ['first', 'second'])
    await workspace.write(`sources/${name}.json`, JSON.stringify({ fields, unknownFields: 'add' }));
  await workspace.write(
    'endpoints/requests.sql',
    `/*
id: 00000000-0000-4000-8000-000000000001
name: requests
cacheSeconds: 0
maxRows: 10000
*/
SELECT request, id, 'first' AS source FROM logs.first UNION ALL SELECT request, id, 'second' FROM logs.second
`,
  );
  return workspace;
}
