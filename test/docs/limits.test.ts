import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Workspace } from '../acceptance/support/workspace.ts';
import { runGateway } from '../server/listener/running-gateway.ts';

const limits = await readFile('docs/limits.md', 'utf8');

test('a URL can have as many characters as docs/limits.md says', async () => {
  expect(limits).toContain('| URL | 16,384 characters |');
  const gateway = await runGateway();
  const path = '/api/endpoints/query/logs.all?project=';
  expect((await gateway.call(path + 'a'.repeat(16_384 - path.length))).status).toBe(200);
  expect((await gateway.call(path + 'a'.repeat(16_385 - path.length))).status).toBe(414);
});

test('an endpoint can return as many rows as docs/limits.md says', async () => {
  expect(limits).toContain('| Rows | 10,000 ');
  const workspace = await Workspace.create();
  onTestFinished(() => workspace.remove());
  await workspace.write(
    'sources/a.json',
    '[{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "TIMESTAMP"}]',
  );
  const file = '/*\nid: 5e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d84\nname: a\nmaxRows: 10001\n*/\nSELECT 1';
  await workspace.write('endpoints/a.sql', file);
  const outcome = await workspace.run(['check']);
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('10000') });
});
