import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchOpened } from '../../../src/app/gateway/launch-gateway.ts';
import type { OpenedGateway } from '../../../src/app/gateway/open-gateway.ts';
import { Workspace } from '../../acceptance/support/workspace.ts';

const quiet = { info() {}, warn() {}, error() {} };

/** An endpoint whose column `hidden` is taken out by a reload. */
const withColumns = (columns: string) => `/*
id: 00000000-0000-4000-8000-00000000000a
name: k.logs
cacheSeconds: 0
parameters: {project: {required: true}}
*/
WITH mine AS (SELECT ${columns} FROM UNNEST(['a', 'b']) AS project)
SELECT * FROM mine WHERE project = @project`;
const [before, after] = [
  withColumns("project, CONCAT('secret of ', project) AS hidden"),
  withColumns('project'),
];

let workspace: Workspace;
let open: OpenedGateway;
let port: number;

beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write('endpoints/k.logs.sql', before);
  open = await launchOpened(readConfig({ ...workspace.environment, API_KEY: 'owner' }), { log: quiet });
  ({ port } = await open.gateway.server.listen({ host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  await open?.gateway.server.close();
  await open?.[Symbol.asyncDispose]();
  await workspace?.remove();
});

async function reload(text: string): Promise<void> {
  await workspace.write('endpoints/k.logs.sql', text);
  const { loaded } = await open.load({ endpoints: open.gateway.endpoints(), sources: open.sources.current });
  open.gateway.use(loaded);
}

interface Sent {
  readonly path: string;
  readonly headers?: string;
  readonly body: string;
}

/** Sends half of a request, reloads the endpoint without its hidden column, and sends the rest. */
async function sentDuringReload({ path, headers = '', body }: Sent): Promise<string> {
  await reload(before);
  const socket = connect(port, '127.0.0.1');
  const head = `POST ${path} HTTP/1.1\r\nHost: gateway\r\nX-API-KEY: owner\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, 5));
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  await once(socket, 'connect');
  // The gateway has the head, and waits for the rest of the body, when it has answered another request.
  await fetch(`http://127.0.0.1:${port}/livez`);
  await reload(after);
  socket.write(body.slice(5));
  await expect.poll(() => answer).toMatch(/\r\n\r\n.*[}\]]/s);
  socket.destroy();
  return answer;
}

const graphql = (query: string) => ({ path: '/graphql', body: JSON.stringify({ query }) });
const tool = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'kLogs', arguments: { project: 'a' } },
};
const events = 'Accept: text/event-stream\r\n';

test.each<[string, Sent]>([
  ['REST', { path: '/api/endpoints/query/k.logs', body: '{"project": "a"}' }],
  ['REST, as events', { path: '/api/endpoints/query/k.logs', headers: events, body: '{"project": "a"}' }],
  ['GraphQL', graphql('{ kLogs(project: "a") { project hidden } }')],
  [
    'GraphQL, as events',
    { ...graphql('subscription { kLogs(project: "a") { project hidden } }'), headers: events },
  ],
  [
    'MCP',
    {
      path: '/mcp',
      headers: 'Accept: application/json, text/event-stream\r\n',
      body: JSON.stringify(tool),
    },
  ],
])('a request over %s whose body arrives after a reload gets what is served then', async (_name, sent) => {
  const answer = await sentDuringReload(sent);
  expect(answer).not.toContain('secret of');
  expect(answer).toMatch(/"project":"a"|Cannot query field \\?"hidden/);
});
