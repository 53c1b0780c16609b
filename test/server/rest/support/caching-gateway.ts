import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { keyAccess } from '../../../../src/calls/access/authentication/access.ts';
import { type Caller, everyScope } from '../../../../src/calls/access/caller/caller.ts';
import { noLiveMeter } from '../../../../src/calls/live/live-meter.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import type { EndpointCatalog } from '../../../../src/definitions/endpoints/endpoint-catalog.ts';
import { noEventMeter } from '../../../../src/server/collectors/event-reports.ts';
import { createGatewayServer } from '../../../../src/server/listener/gateway.ts';
import { endpointWith } from '../../../calls/executor/support/endpoint.ts';
import { type SetUpParts, setUp } from '../../../calls/executor/support/setup.ts';
import { gatewayParts } from '../../../support/gateway-parts.ts';
import { fakeLog } from '../../listener/running-gateway.ts';

export const target = '/api/endpoints/query/counts?project=a';

/** Cached for 60 seconds; one column, `text`. */
export function textEndpoint(settings: Partial<Endpoint> = {}): Endpoint {
  const columns = [{ name: 'text', type: { kind: 'STRING' } }] as const;
  return endpointWith({ plan: { ...endpointWith().plan, columns }, ...settings });
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type AccessKey = Caller & { readonly secret: string };

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** A gateway with the real executor, over an engine and a clock in the test's hand. Its key is `key`; there may be more. */
export async function runCachingGateway(
  endpoint = textEndpoint(),
  parts: SetUpParts = {},
  more: readonly AccessKey[] = [],
) {
  const set = setUp(parts);
  set.engine.answer = () => [['from 10.0.0.9']];
  let current: Endpoint | undefined = endpoint;
  const endpoints: EndpointCatalog = {
    byId: (id) => (id === current?.id ? current : undefined),
    byName: (name) => (name === current?.name ? current : undefined),
    whyMissing: () => undefined,
  };
  const { executor, table, budget, clock, counted } = set;
  const meter = {
    engineRun: () => {},
    cacheRequest: (name: string, status: string) => void counted.push(`shortcut ${name} ${status}`),
    collapsed: () => {},
    allowanceSpent: () => {},
    warmRun: () => {},
  };
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess([
        { name: 'owner', secret: 'key', redact: false, scopes: everyScope },
        { name: 'import', secret: 'token', redact: false, scopes: new Set(['write']) },
        ...more,
      ]),
      endpoints,
      executor,
      allowances: executor.allowances,
      memory: { table, budget },
      metrics: {
        executor: meter,
        requests: { request: () => {}, failed: () => {}, deprecated: () => {} },
        events: noEventMeter,
        live: noLiveMeter,
        records: () => () => {},
        text: async () => '',
        contentType: '',
        numbers: async () => new Map(),
      },
      clock,
      shape: { endpoints: [] },
      receiveRows: () => Promise.reject(new Error('takes no rows')),
      log: fakeLog(),
      config: readConfig({}),
    }),
  );
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());

  function call(path = target, { method = 'GET', headers = {}, body }: CallOptions = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        { port, method, path, headers: { 'X-API-KEY': 'key', ...headers } },
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on('data', (piece) => pieces.push(piece));
          answer.on('end', () => {
            const { statusCode: status = 0, headers } = answer;
            resolve({ status, headers, body: Buffer.concat(pieces).toString('latin1') });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  return {
    ...set,
    port,
    call,
    /** How many calls have joined the run of another one. */
    joined: () => counted.filter((what) => what.startsWith('collapsed ')).length,
    /** Whether the latest call was answered by the shortcut. */
    tookShortcut: () => counted.at(-1)?.startsWith('shortcut ') === true,
    useEndpoint(changed: Endpoint | undefined) {
      current = changed;
      server.useShape({ endpoints: [] });
    },
  };
}
