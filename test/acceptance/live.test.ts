import { EventSource } from 'eventsource';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Gateway } from './support/gateway.ts';
import { eventually, processesNaming } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  gateway = await Gateway.serve(workspace);
});

afterAll(() => workspace?.remove());

/** Commits rows of edge_logs with these messages. */
async function commit(project: string, ...messages: readonly string[]): Promise<void> {
  const body = JSON.stringify(messages.map((message) => ({ project, event_message: message })));
  const headers = { 'Content-Type': 'application/json' };
  const send = () => gateway.call('/api/logs?source=edge_logs', { method: 'POST', headers, body });
  // An engine that starts refuses them.
  await eventually('the rows are committed', async () => (await send()).status === 200);
}

interface Seen {
  readonly event: string;
  readonly messages: readonly string[];
  readonly id: string;
}

/** Listens as a browser does. */
function listen(parameters: Readonly<Record<string, string>>, key = 'a-key', lastId?: string) {
  const url = `${gateway.url}/api/endpoints/query/logs.all?${new URLSearchParams(parameters)}`;
  const source = new EventSource(url, {
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: {
          ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
          ...init.headers,
          'X-API-KEY': key,
        },
      }),
  });
  onTestFinished(() => source.close());
  const seen: Seen[] = [];
  for (const event of ['rows', 'result', 'skipped']) {
    source.addEventListener(event, ({ data, lastEventId }) => {
      const rows = (JSON.parse(data).result ?? []) as { event_message: string }[];
      seen.push({ event, messages: rows.map((row) => row.event_message), id: lastEventId });
    });
  }
  const errors: string[] = [];
  source.addEventListener('error', (event) => {
    if ('data' in event && typeof event.data === 'string') errors.push(event.data);
  });
  const messages = () => seen.flatMap((each) => each.messages);
  return { source, seen, errors, messages };
}

test('an EventSource gets the rows of a tail as they are committed, through the end of the engine and of the gateway', async () => {
  await commit('tail', 'before');
  const { messages } = listen({ project: 'tail', tail: 'edge_logs' });
  const client = createClient({
    url: `${gateway.url}/graphql`,
    headers: { 'X-API-KEY': 'a-key' },
    retryAttempts: 1000,
    retry: () => new Promise((resolve) => setTimeout(resolve, 100)),
  });
  onTestFinished(() => client.dispose());
  const query = 'subscription { logsAllEdgeLogsTail(project: "tail", last: 1) { rows { eventMessage } } }';
  const seenByGraphql: string[] = [];
  client.subscribe<Tailed>(
    { query },
    {
      next: ({ data }) => {
        const rows = data?.logsAllEdgeLogsTail.rows ?? [];
        seenByGraphql.push(...rows.map((row) => row.eventMessage));
      },
      error: () => {},
      complete: () => {},
    },
  );
  await eventually('the first rows', () => messages().length === 1);
  await commit('tail', 'one');
  await commit('other', 'of another project');
  await commit('tail', 'two', 'three');
  await eventually('rows that arrived', () => messages().length === 4);
  const engines = await processesNaming(workspace.path('tmp'));
  for (const { pid, command } of engines) if (command.includes('engine-main')) process.kill(pid, 'SIGKILL');
  await eventually('the engine is back', async () => (await gateway.call('/readyz')).status === 200);
  await commit('tail', 'four');
  await eventually('rows after the end of the engine', () => messages().length === 5);
  const { port } = new URL(gateway.url);
  await gateway.stop();
  gateway = await Gateway.serve(workspace, { PORT: port });
  await commit('tail', 'five');
  await eventually('rows after the end of the gateway', () => messages().length >= 6);
  expect(messages().toSorted()).toEqual(['before', 'five', 'four', 'one', 'three', 'two']);
  await eventually('the client of graphql-sse is back', () => seenByGraphql.at(-1) === 'five');
});

/** Commits rows of edge_logs by their messages, with the seconds of their age. */
async function commitAged(
  project: string,
  ages: Readonly<Record<string, number>>,
  now: number,
): Promise<void> {
  const events = Object.entries(ages).map(([event_message, age]) => ({
    ...{ project, event_message, timestamp: now - Math.round(age * 1e6) },
  }));
  const reply = await gateway.call('/api/logs?source=edge_logs', {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(events) },
  });
  expect(reply.status).toBe(200);
}

test('a client that connects again gets the rows that have arrived meanwhile, each once, by REST and GraphQL, also after a restart', async () => {
  const now = Date.now() * 1000;
  const project = 'again';
  const parameters = { project, tail: 'edge_logs', tail_rows: '5' };
  /** Connects, and leaves when so many rows have come. Returns them with the id after them. */
  const restful = async (id: string | undefined, count: number) => {
    const { source, seen, messages } = listen(parameters, 'a-key', id);
    await eventually('the rows', () => seen.length > 0 && messages().length >= count);
    source.close();
    expect(seen.map(({ event }) => event)).not.toContain('skipped');
    return { messages: messages(), id: seen.at(-1)?.id ?? '' };
  };
  await commitAged(project, { first: 1, soon: -600 }, now);
  let { messages, id } = await restful(undefined, 1);
  expect(messages).toEqual(['first']);
  const graphql = async (after: string, headers: Readonly<Record<string, string>> = {}) => {
    const query = `subscription { logsAllEdgeLogsTail(project: "${project}", after: "${after}") { skipped rows { eventMessage } } }`;
    const url = `${gateway.url}/graphql?${new URLSearchParams({ query })}`;
    return await untilEvent(url, headers, /^event: next\n.*\n?data: .*"eventMessage".*\n\n/m);
  };
  await commitAged(project, { same: 1, before: 1.000001, late: 20, later: 0.5, ahead: -300 }, now);
  const all = ['late', 'before', 'same', 'later', 'ahead'];
  const byGraphql = await graphql(id);
  expect(byGraphql.match(/(?<="eventMessage":")[^"]*/g)).toEqual(all);
  // A browser repeats the argument, and adds the header.
  expect(await graphql('old', { 'Last-Event-ID': id })).toContain('"skipped":false');
  ({ messages, id } = await restful(id, 5));
  expect(messages).toEqual(all);
  expect((await restful(id, 0)).messages).toEqual([]);
  await commitAged(project, { 'late again': 20, same: 1 }, now + 1);
  const { port } = new URL(gateway.url);
  await gateway.stop();
  gateway = await Gateway.serve(workspace, { PORT: port });
  ({ messages, id } = await restful(id, 2));
  expect(messages).toEqual(['late again', 'same']);
  expect((await restful(id, 0)).messages).toEqual([]);
});

test('an EventSource gets a result when it has changed, and LQL filters a tail', async () => {
  await commit('result', 'error a');
  const result = listen({ project: 'result', sql: 'select count(*) as event_message from edge_logs' });
  const tail = listen({ project: 'result', tail: 'edge_logs', lql: 'error', tail_rows: '0' });
  await eventually('the first result', () => result.seen.length === 1 && tail.seen.length === 1);
  await commit('result', 'fine b', 'error c');
  await eventually('the next result', () => result.seen.length === 2);
  await eventually('the row that passes', () => tail.messages().length === 1);
  expect(result.seen.map(({ event, messages }) => [event, String(messages)])).toEqual([
    ['result', '1'],
    ['result', '3'],
  ]);
  expect(tail.messages()).toEqual(['error c']);
});

test('the client of graphql-sse gets results and tails', async () => {
  const client = createClient({ url: `${gateway.url}/graphql`, headers: { 'X-API-KEY': 'a-key' } });
  onTestFinished(() => client.dispose());
  await commit('graphql', 'a');
  const query = (field: string) => ({ query: `subscription { ${field} }` });
  const rows = '{ eventMessage }';
  const tail = client.iterate(query(`logsAllEdgeLogsTail(project: "graphql") { skipped rows ${rows} }`));
  const table = client.iterate(query(`logsAllEdgeLogs(project: "graphql", limit: 1) ${rows}`));
  const first = { skipped: false, rows: [{ eventMessage: 'a' }] };
  expect((await tail.next()).value).toEqual({ data: { logsAllEdgeLogsTail: first } });
  expect((await table.next()).value).toEqual({ data: { logsAllEdgeLogs: [{ eventMessage: 'a' }] } });
  await commit('graphql', 'b');
  const next = { skipped: false, rows: [{ eventMessage: 'b' }] };
  expect((await tail.next()).value).toEqual({ data: { logsAllEdgeLogsTail: next } });
  expect((await table.next()).value).toEqual({ data: { logsAllEdgeLogs: [{ eventMessage: 'b' }] } });
  const wrong = client.iterate(query(`logsAllEdgeLogsTail(project: "graphql", last: 5000) { skipped }`));
  expect((await wrong.next()).value).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
});

test('texts with line breaks, control characters and markup arrive as they were sent', async () => {
  const hostile = [
    ...[
      'a\nevent: rows\ndata: {"result":[]}\n\nb',
      'a\r\nid: 1\r\rretry: 1',
      'a\u2028b\u2029c\u0085d',
      '\ufeff: x',
    ],
    ...['<script>alert(1)</script>', 'data: "\\\n\t\u0001\u001b[2J', '\u{1f9a4}\ud800 lone'],
  ];
  const kept = hostile.map((text) => text.toWellFormed());
  const { messages } = listen({ project: 'hostile', tail: 'edge_logs' });
  const client = createClient({ url: `${gateway.url}/graphql`, headers: { 'X-API-KEY': 'a-key' } });
  onTestFinished(() => client.dispose());
  const field = 'logsAllEdgeLogsTail(project: "hostile") { rows { eventMessage } }';
  const events = client.iterate<Tailed>({ query: `subscription { ${field} }` });
  await events.next();
  await commit('hostile', ...kept);
  await eventually('all rows', () => messages().length === hostile.length);
  expect(messages().toSorted()).toEqual(kept.toSorted());
  const seen: string[] = [];
  while (seen.length < hostile.length) {
    const { value, done } = await events.next();
    if (done !== false) break;
    seen.push(...(value.data?.logsAllEdgeLogsTail.rows ?? []).map((row) => row.eventMessage));
  }
  expect(seen.toSorted()).toEqual(kept.toSorted());
});

interface Tailed extends Record<string, unknown> {
  readonly logsAllEdgeLogsTail: { readonly rows: readonly { readonly eventMessage: string }[] };
}

/** The first bytes of a stream, up to an event. */
async function untilEvent(url: string, headers: Readonly<Record<string, string>>, event: RegExp) {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', 'X-API-KEY': 'a-key', ...headers },
    signal: leaving.signal,
  });
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (event.test(text)) break;
  }
  leaving.abort();
  return text;
}

test.each([
  ['that is none', () => 'x'.repeat(5000), 'row'],
  ['with other characters', (hash: string) => `${hash}a-1-2"><script>\t`, 'row'],
  [
    'with numbers that are too large',
    (hash: string) => `${hash}a-${'9'.repeat(15)}-${'9'.repeat(19)}`,
    'row',
  ],
  ['of the end of time', (hash: string) => `${hash}a-1-253402300799999998`, 'none'],
  ['from the future', (hash: string) => `${hash}abc-7-4102444800000000`, 'none'],
  ['from before all rows', (hash: string) => `${hash}abc-7--62135596800000000`, 'row'],
  ['from the past of another run', (hash: string) => `${hash}abc-7-0`, 'row'],
  ['of another query', () => '01234567abc-7-4102444800000000', 'row'],
])('a stream with a Last-Event-ID %s goes on, and says that rows may be left out', async (_, idOf, first) => {
  await commit('ids', 'one');
  const parameters = new URLSearchParams({ project: 'ids', tail: 'edge_logs', tail_rows: '1' });
  const url = `${gateway.url}/api/endpoints/query/logs.all?${parameters}`;
  const firstRows = /^event: rows\n.*\ndata: .*\n\n/m;
  const [, hash = ''] = /^id: ([0-9a-f]{8})/m.exec(await untilEvent(url, {}, firstRows)) ?? [];
  const stream = await untilEvent(url, { 'Last-Event-ID': idOf(hash) }, firstRows);
  const [, rows = ''] =
    /^retry: \d+\n\nevent: skipped\ndata: \{\}\n\nevent: rows\nid: [0-9a-z]+-\d+-\d+[\w.~-]*\ndata: \{"result":\[(.*)\]\}\n\n$/.exec(
      stream,
    ) ?? [];
  // Nothing is missed of what is in the future.
  expect(rows === '' ? 'none' : 'row').toBe(first);
});

test.each([
  [
    'several fields',
    'a: logsAllEdgeLogsTail(project: "a") { skipped } b: logsAllEdgeLogsTail(project: "b") { skipped }',
  ],
  [
    'fields in a fragment',
    '...F } fragment F on Subscription { a: logsAllEdgeLogs(project: "a") { id } b: logsAllEdgeLogs(project: "b") { id }',
  ],
  ['introspection', '__typename'],
  ['a field that may be left out', 'logsAllEdgeLogs(project: "a") @skip(if: true) { id }'],
])('a subscription to %s is refused', async (_, fields) => {
  const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ query: `subscription { ${fields} }` });
  const reply = await gateway.call('/graphql', { method: 'POST', headers, body });
  expect(reply.body).toMatch(/^event: next\ndata: \{"errors":\[.*\n\nevent: complete\ndata: \n\n$/s);
});

test('what only live answers read is named as ignored elsewhere', async () => {
  const { status, headers } = await gateway.query('logs.all', { project: 'a', tail: 'edge_logs', live: '9' });
  expect(status).toBe(200);
  expect(headers.get('X-Ignored-Parameters')).toBe('live, tail');
});

test('a revoked key ends its streams', async () => {
  const created = await workspace.run(['keys', 'create', '--name', 'watcher']);
  const key = created.stdout.trim();
  await eventually(
    'the key is known',
    async () => (await gateway.call('/api/endpoints', { key })).status === 200,
  );
  const { seen, errors } = listen({ project: 'revoked', tail: 'edge_logs' }, key);
  await eventually('the stream has begun', () => seen.length === 1);
  expect((await workspace.run(['keys', 'revoke', 'watcher'])).code).toBe(0);
  await eventually('it has ended', () => errors.length > 0);
  expect(JSON.parse(errors[0] ?? '')).toMatchObject({ code: 'UNAUTHENTICATED', final: true });
});

test.each([
  [{ tail: 'nope' }, 'there is no table'],
  [{ live: '1' }, 'expected a whole number from 5 to 3600'],
  [{ tail: 'edge_logs', tail_rows: 'x' }, 'expected a whole number from 0 to 1000'],
  [{ tail: 'edge_logs', lql: 'c:count(*)' }, 'only filters are possible'],
  [{ tail: 'edge_logs', sql: 'select id from edge_logs' }, 'a tail can be filtered by'],
  [{ format: 'csv' }, 'events contain JSON'],
  [{ sql: 'select nope from edge_logs' }, 'nope'],
])('%j is refused before a stream begins', async (parameters, text) => {
  const headers = { Accept: 'text/event-stream' };
  const { status, body } = await gateway.query('logs.all', { project: 'a', ...parameters }, { headers });
  expect({ status, body }).toEqual({ status: 400, body: expect.stringContaining(text) });
});
