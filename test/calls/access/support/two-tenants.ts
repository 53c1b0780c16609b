import { readConfig } from '../../../../src/app/engines/registry.ts';
import { launchOpened } from '../../../../src/app/gateway/launch-gateway.ts';
import { Workspace } from '../../../acceptance/support/workspace.ts';

/** What only rows of the project `b` contain. */
export const secret = 'secret-of-b';

const source = {
  fields: [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    { name: 'project', type: 'STRING', mode: 'NULLABLE' },
    { name: 'event_message', type: 'STRING', mode: 'NULLABLE' },
  ],
};

const columns = 't.id, t.timestamp, t.project, t.event_message';

/** Tables with the rows of all projects, whatever the parameter, although most mention it. */
const unboundQueries = {
  everything: `SELECT ${columns} FROM logs.app AS t`,
  labelled: `SELECT ${columns}, @project AS p FROM logs.app AS t`,
  matched: `SELECT ${columns}, j.id AS other FROM logs.app AS t LEFT JOIN (SELECT id FROM mine WHERE project = @project) AS j ON j.id = t.id`,
  conditional: `SELECT ${columns} FROM logs.app AS t WHERE t.project = 'x' OR EXISTS (SELECT 1 FROM mine)`,
};

/** Their names. */
export const unboundTables = Object.keys(unboundQueries) as (keyof typeof unboundQueries)[];

const unboundEntries = unboundTables.map((name) => `${name} AS (${unboundQueries[name]})`).join(',\n');

const bound = `/*
id: 00000000-0000-4000-8000-00000000000a
name: k.logs
sandbox: true
filterable: true
exportRows: 1000
cacheSeconds: 60
parameters: {project: {required: true}}
*/
WITH mine AS (SELECT ${columns} FROM logs.app AS t WHERE t.project = @project),
${unboundEntries}
SELECT * FROM mine ORDER BY timestamp DESC`;

/** It has no parameter that a key could be bound to. */
const unbound = `/*
id: 00000000-0000-4000-8000-00000000000b
name: z.all
sandbox: true
filterable: true
exportRows: 1000
cacheSeconds: 60
*/
WITH everything AS (SELECT ${columns} FROM logs.app AS t)
SELECT * FROM everything ORDER BY timestamp DESC`;

/** The names of the endpoints. */
export const endpointNames = ['k.logs', 'z.all'];

const quiet = { info() {}, warn() {}, error() {} };

/** A whole gateway on the embedded engine that listens, with rows of the projects `a` and `b`. The key `owner` may do everything. */
export async function twoTenants() {
  await using started = new AsyncDisposableStack();
  const workspace = await Workspace.create();
  started.defer(() => workspace.remove());
  await workspace.write('sources/app.json', JSON.stringify(source));
  await workspace.write('endpoints/k.logs.sql', bound);
  await workspace.write('endpoints/z.all.sql', unbound);
  const config = readConfig({ ...workspace.environment, API_KEY: 'owner', RATE_LIMIT_FAILED_KEYS: 'none' });
  const opened = started.use(await launchOpened(config, { log: quiet }));
  const { server } = opened.gateway;
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  started.defer(() => server.close());
  const rows = ['a', 'b'].map((project) => ({
    ...{ id: `of-${project}`, timestamp: new Date().toISOString(), project },
    event_message: `secret-of-${project}`,
  }));
  await sentBy(url, 'owner', '/api/sources/app/rows', {
    method: 'POST',
    body: rows.map((row) => JSON.stringify(row)).join('\n'),
  });
  const running = started.move();

  return {
    url,
    routes: [...new Set(server.routes.map(({ path }) => path))],
    send: (key: string, path: string, sent?: Sent) => sentBy(url, key, path, sent),
    /** Makes a key with all scopes. */
    async keyWith(wish: object): Promise<{ readonly key: string; readonly id: string }> {
      const body = { name: `key ${Math.random()}`, scopes: ['query', 'write', 'admin'], ...wish };
      const made = await sentBy(url, 'owner', '/api/keys', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: json,
      });
      if (made.status !== 201) throw new Error(made.body);
      return JSON.parse(made.body);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export const json = { 'content-type': 'application/json' };

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  /** Of a stream, what comes until its first event. */
  readonly body: string;
}

/** How long an answer, or the first event of a stream, may take, in milliseconds. */
const patienceMs = 60_000;

async function sentBy(url: string, key: string, path: string, sent: Sent = {}): Promise<Reply> {
  const leave = new AbortController();
  const timer = setTimeout(() => leave.abort(), patienceMs);
  let body = '';
  const headers = { 'x-api-key': key, ...sent.headers };
  try {
    const response = await fetch(url + path, { ...sent, headers, signal: leave.signal });
    const { status } = response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    for await (const piece of response.body ?? []) {
      body += Buffer.from(piece).toString('latin1');
      // After the line `retry`, an event ends with an empty line.
      if (isStream && /\ndata: .*\n\n/s.test(body)) break;
    }
    return { status, body };
  } finally {
    clearTimeout(timer);
    leave.abort();
  }
}
