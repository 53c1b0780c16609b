import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text as wholeText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { keyAccess } from '../../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../../src/calls/access/caller/caller.ts';
import type { NewKeyOptions } from '../../../../src/calls/access/key/new-key.ts';
import { FileKeySource } from '../../../../src/calls/access/key-cache/file-key-source.ts';
import { KeyCache } from '../../../../src/calls/access/key-cache/key-cache.ts';
import { FileKeyStore, fileLookMs } from '../../../../src/calls/access/store/file-key-store.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../../../src/definitions/endpoints/endpoint-catalog.ts';
import { buildShape } from '../../../../src/server/graphql/shape/build-shape.ts';
import { createGatewayServer } from '../../../../src/server/listener/gateway.ts';
import { fakeLog } from '../../../server/listener/running-gateway.ts';
import { gatewayParts } from '../../../support/gateway-parts.ts';
import { metricsOf } from '../../../support/metrics.ts';
import { endpointWith } from '../../executor/support/endpoint.ts';
import { setUp } from '../../executor/support/setup.ts';
import { addKey, keysFolder } from './keys.ts';

const columns = [{ name: 'owner', type: { kind: 'STRING' } }] as const;
const parameters = new Map(['project', 'size'].map((name) => [name, { kind: 'STRING' }] as const));
const plan = { ...endpointWith().plan, columns, parameters };

/** `counts(project, size)`, cached and sandboxed: its rows say whose they are. */
export const counts: Endpoint = endpointWith({
  parameters: [
    { name: 'project', type: { kind: 'STRING' }, required: false, argument: 'ref' },
    { name: 'size', type: { kind: 'INT64' }, required: false },
  ],
  sandbox: true,
  plan,
  tables: [
    { name: 'rows', plan, boundBy: new Set(parameters.keys()) },
    { name: 'all', plan, boundBy: new Set() },
  ],
});

/** The same, with nothing that says whose rows they are. */
export const everything: Endpoint = {
  ...counts,
  id: '00000000-0000-4000-8000-000000000002',
  name: 'everything',
  parameters: [],
  sandbox: false,
  tables: [],
};

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A gateway with stored keys, every handler and every cache; `owner` may do everything. An engine stands in for the rows. */
export async function runTenants({ allowKeyInQuery = false } = {}) {
  const set = setUp({ clock: systemClock });
  set.engine.answer = ({ parameters }) => [[`rows of ${parameters.get('project') ?? 'all'} from 10.0.0.9`]];
  const log = fakeLog();
  const file = join(keysFolder(), 'keys.json');
  const store = new FileKeyStore(file);
  let aheadMs = 0;
  let uploads = 0;
  let lookMs = 0;
  /** Has the file looked at again. */
  const settle = () => {
    lookMs += fileLookMs;
  };
  const source = new FileKeySource(file, { elapsed: () => systemClock.elapsed() + lookMs }, log);
  const endpoints = [counts, everything];
  const { shape } = buildShape(endpoints, { locate: () => ({ line: 1, column: 1 }) });
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess([{ name: 'owner', secret: 'owner', redact: false, scopes: everyScope }], {
        stored: new KeyCache({ source, clock: { now: () => systemClock.now() + aheadMs }, log }),
        allowKeyInQuery,
      }),
      endpoints: endpointCatalog(endpoints),
      executor: set.executor,
      adHocQueries: {
        known: () => undefined,
        plan: async ({ tables }, { text }) => ({
          canonical: `own ${text}`,
          plan,
          maxRows: 10,
          tables: tables.filter(({ name }) => text.includes(name)),
        }),
      },
      memory: set,
      metrics: metricsOf({ engine: 'duckdb' }),
      clock: systemClock,
      shape,
      purgeEntries: (filter) => set.executor.invalidate(filter),
      receiveRows: async (_source, body) => {
        await wholeText(body);
        uploads += 1;
        return { imported: 1, duplicates: 0, rejected: [], rejectedCount: 0 };
      },
      log,
      config: readConfig({}),
    }),
  );
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());

  function send(path: string, { method = 'GET', key, headers = {}, body }: Sent = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const all = {
        ...(key !== undefined && { 'X-API-KEY': key }),
        // Node would send the body of a GET without saying that it is there.
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      };
      const sent = httpRequest({ port, method, path, headers: all }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece) => pieces.push(piece));
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer;
          resolve({ status, headers, body: Buffer.concat(pieces).toString() });
        });
      });
      sent.once('error', reject).end(body);
    });
  }

  return {
    ...set,
    log,
    store,
    send,
    port,
    /** How many bodies of rows were taken to their end. */
    uploads: () => uploads,
    /** Lets time pass for keys. */
    pass: (milliseconds: number) => {
      aheadMs += milliseconds;
    },
    /** Lets what was changed in the store be known. */
    settle,
    /** Revokes the key that was made first. */
    async revokeFirst(): Promise<void> {
      await store.put(([first]) => {
        if (first === undefined) throw new Error('there is no key');
        return { ...first, revoked: Date.now() };
      });
      settle();
    },
    async keyWith(wish: Partial<NewKeyOptions>): Promise<string> {
      const { text } = await addKey(store, { name: `key ${Math.random()}`, ...wish });
      settle();
      return text;
    },
    query: (query: string, sent: Sent = {}) => send(`/api/endpoints/query/counts?${query}`, sent),
    graphql: (query: string, key: string | undefined, variables?: object) =>
      send('/graphql', {
        method: 'POST',
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      }),
  };
}

export type TenantsGateway = Awaited<ReturnType<typeof runTenants>>;
