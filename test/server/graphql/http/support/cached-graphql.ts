import { request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../../../src/app/engines/registry.ts';
import { keyAccess } from '../../../../../src/calls/access/authentication/access.ts';
import type { Executor } from '../../../../../src/calls/executor/executor.ts';
import type { Endpoint } from '../../../../../src/definitions/endpoints/endpoint.ts';
import { endpointCatalog, servedIn } from '../../../../../src/definitions/endpoints/endpoint-catalog.ts';
import { memoryBudgets } from '../../../../../src/definitions/settings/memory-budgets.ts';
import type { CallReport } from '../../../../../src/server/graphql/http/call-report.ts';
import { graphqlHandler, servedSchemas } from '../../../../../src/server/graphql/http/graphql-handler.ts';
import { buildShape } from '../../../../../src/server/graphql/shape/build-shape.ts';
import { ResponseCache } from '../../../../../src/server/http/response-cache/response-cache.ts';
import { responseShortcut } from '../../../../../src/server/http/response-cache/shortcut.ts';
import { createServer } from '../../../../../src/server/listener/server.ts';
import { newPlan } from '../../../../../src/sql/plan/plan.ts';
import { endpointWith } from '../../../../calls/executor/support/endpoint.ts';
import { setUp } from '../../../../calls/executor/support/setup.ts';
import { callParts } from '../../../../support/call-of.ts';
import { graphqlParts, serverParts } from '../../../../support/gateway-parts.ts';
import { noMeter } from '../../../../support/local-executor.ts';
import { graphqlRoutes } from './graphql-gateway.ts';

/** `counts(project) { n address }`, cached for 60 seconds. */
export const counts: Endpoint = endpointWith({
  parameters: [{ name: 'project', type: { kind: 'STRING' }, required: true }],
  plan: newPlan({
    isCallers: false,
    sql: '',
    statement: {},
    columns: [
      { name: 'n', type: { kind: 'INT64' } },
      { name: 'address', type: { kind: 'STRING' } },
    ],
    parameters: new Map(),
  }),
});

/** The same as `live`, not cached. */
export const live: Endpoint = {
  ...counts,
  id: '7a7d6f0c-5a3e-4d4f-9d2b-0f6f3a1c8e21',
  name: 'live',
  cacheSeconds: 0,
};

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly { readonly extensions: { readonly code: string } }[] | undefined;
  readonly requestId: string;
  readonly calls: readonly CallReport[];
}

/** GraphQL with the cache behind it, over HTTP; the engine and the clock are in the test's hand. Its key is `key`. */
export async function runCachedGraphql(endpoints: readonly Endpoint[] = [counts, live]) {
  const counted: string[] = [];
  const meter = {
    ...noMeter,
    cacheRequest: (endpoint: string, status: string) => void counted.push(`${endpoint} ${status}`),
  };
  const parts = setUp({ meter });
  const { executor, clock, table, budget } = parts;
  const responses = new ResponseCache({
    ...{ memory: { table, budget }, clock, meter },
    allowances: executor.allowances,
  });
  const access = keyAccess([{ name: 'owner', secret: 'key', redact: false, scopes: new Set(['query']) }]);
  const log = { info() {}, warn() {}, error() {} };
  let executed = 0;
  const counting: Executor = {
    execute: (call, run) => {
      executed++;
      return executor.execute(call, run);
    },
    estimate: (call, run) => executor.estimate(call, run),
    profile: (call, run) => executor.profile(call, run),
    stream: (call, run, take) => executor.stream(call, run, take),
  };

  const common = { ...graphqlParts(), responses, clock, log, settings: readConfig({}) };
  function served(given: readonly Endpoint[]) {
    const { shape, problems } = buildShape(given, { locate: () => ({ line: 1, column: 1 }) });
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return {
      schema: servedSchemas(shape, { ...common, documents: memoryBudgets().documents.table() }),
      isServed: servedIn(endpointCatalog(given)),
    };
  }
  let current = served(endpoints);
  const graphql = graphqlHandler(() => current.schema, {
    ...common,
    calls: callParts(counting, { isServed: (endpoint) => current.isServed(endpoint) }),
  });
  const server = createServer(
    serverParts(access, {
      routes: () => graphqlRoutes(graphql),
      shortcut: responseShortcut(access, responses),
    }),
  );
  const { port, url } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());

  const send = (
    body: string | Buffer | undefined,
    headers: Readonly<Record<string, string>> = {},
    path = '/graphql',
    signal?: AbortSignal,
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const all = { 'X-API-KEY': 'key', 'Content-Type': 'application/json', ...headers };
      const method = body === undefined ? 'GET' : 'POST';
      const options = { port, method, path, headers: all, ...(signal && { signal }) };
      const sent = httpRequest(options, (response) => {
        const pieces: Buffer[] = [];
        response
          .on('data', (piece) => pieces.push(piece))
          .on('end', () => {
            const text = Buffer.concat(pieces).toString();
            const { data, errors, extensions } = JSON.parse(text);
            const { requestId, calls } = extensions?.gateway ?? {};
            const { statusCode: status = 0 } = response;
            resolve({ status, text, headers: response.headers, data, errors, requestId, calls });
          });
      });
      sent.once('error', reject).end(body);
    });

  return {
    ...parts,
    counted,
    port,
    url,
    /** How many calls have reached the executor. */
    executed: () => executed,
    send,
    post: (query: string, headers?: Readonly<Record<string, string>>, variables?: object) =>
      send(JSON.stringify({ query, variables }), headers),
    /** Has the operation answered so often that its answer is ready. */
    async ready(query: string, headers?: Readonly<Record<string, string>>, variables?: object) {
      for (let round = 0; round < 4; round++) await this.post(query, headers, variables);
    },
    /** Exchanges the endpoints, as a reload does. */
    reload(given: readonly Endpoint[]) {
      current = served(given);
      responses.clear();
      executor.retain(new Map(given.map(({ id, version }) => [id, [version]])));
    },
  };
}
