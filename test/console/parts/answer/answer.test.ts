import { expect, test } from 'vitest';
import type { ApiRequest, Client } from '../../../../src/console/api/client.ts';
import { sendCall } from '../../../../src/console/parts/answer/answer.ts';

test('a value that contains the key is sent in a body, not in an address', async () => {
  const sent: [path: string, method: string][] = [];
  const client: Client = {
    key: 'egw_key',
    async send(path: string, { method = 'GET' }: ApiRequest = {}) {
      sent.push([path, method]);
      return new Response('{}');
    },
    json: async () => null,
  };
  const { signal } = new AbortController();
  for (const project of ['a', 'my egw_key'])
    await sendCall(
      client,
      { endpoint: { name: 'logs.all' }, values: new Map([['project', project]]) },
      { signal },
    );
  expect(sent).toEqual([
    ['/api/endpoints/query/logs.all?project=a&timestamps=iso&json=inline', 'GET'],
    ['/api/endpoints/query/logs.all', 'POST'],
  ]);
});
