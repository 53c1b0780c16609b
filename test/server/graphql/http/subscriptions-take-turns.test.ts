import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { launchOpened } from '../../../../src/app/gateway/launch-gateway.ts';
import { answerTurns } from '../../../../src/base/memory/large-answers.ts';
import { Workspace } from '../../../acceptance/support/workspace.ts';

const quiet = { info() {}, warn() {}, error() {} };
const endpoint = `/*
id: 00000000-0000-4000-8000-00000000000a
name: k.rows
cacheSeconds: 0
*/
SELECT 'a row' AS text`;

test('events of subscriptions are made one after the other, in turns with large answers', async () => {
  const workspace = await Workspace.create();
  onTestFinished(() => workspace.remove());
  await workspace.write('endpoints/k.rows.sql', endpoint);
  const open = await launchOpened(readConfig({ ...workspace.environment, API_KEY: 'owner' }), { log: quiet });
  onTestFinished(async () => {
    await open.gateway.server.close();
    await open[Symbol.asyncDispose]();
  });
  const { url } = await open.gateway.server.listen({ host: '127.0.0.1', port: 0 });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const headers = { 'X-API-KEY': 'owner', Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  /** What has come of a stream. */
  const streamed = (path: string, body?: object) => {
    const stream = { text: '' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const read = async () => {
      const response = await fetch(url + path, { ...sent, headers, signal: leave.signal });
      for await (const piece of response.body ?? []) stream.text += Buffer.from(piece).toString();
    };
    read().catch(() => {});
    return stream;
  };

  const turn = await answerTurns.take({ key: 'another', subject: '' }, leave.signal);
  const subscription = streamed('/graphql', { query: 'subscription { kRows { text } }' });
  // Small results have come by REST, to those who asked later.
  for (let count = 0; count < 3; count++) {
    const results = streamed('/api/endpoints/query/k.rows');
    await expect.poll(() => results.text).toContain('a row');
  }
  expect(subscription.text).toBe('');
  turn[Symbol.dispose]();
  await expect.poll(() => subscription.text).toContain('a row');
});
