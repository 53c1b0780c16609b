import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { GatewayError } from '../../../../../src/base/errors/errors.ts';
import { systemClock } from '../../../../../src/base/system/clock.ts';
import { keyAccess } from '../../../../../src/calls/access/authentication/access.ts';
import type { AuthorisedCall } from '../../../../../src/calls/call/authorised-call.ts';
import type { Executor, Run } from '../../../../../src/calls/executor/executor.ts';
import type { Endpoint } from '../../../../../src/definitions/endpoints/endpoint.ts';
import { memoryBudgets } from '../../../../../src/definitions/settings/memory-budgets.ts';
import type { Estimate } from '../../../../../src/engines/engine/engine.ts';
import {
  type GraphiqlHandlers,
  graphiqlHandlers,
} from '../../../../../src/server/graphql/graphiql/graphiql-handler.ts';
import { prefersHtml } from '../../../../../src/server/graphql/http/accept.ts';
import { graphqlRefusal } from '../../../../../src/server/graphql/http/graphql-answer.ts';
import {
  type GraphqlSettings,
  graphqlHandler,
  servedSchemas,
} from '../../../../../src/server/graphql/http/graphql-handler.ts';
import { buildShape } from '../../../../../src/server/graphql/shape/build-shape.ts';
import type { SchemaShape } from '../../../../../src/server/graphql/shape/shape.ts';
import type { KeyedHandler, Route } from '../../../../../src/server/http/route.ts';
import { createServer } from '../../../../../src/server/listener/server.ts';
import { newPlan } from '../../../../../src/sql/plan/plan.ts';
import type { Column } from '../../../../../src/sql/values/type.ts';
import type { Row } from '../../../../../src/sql/values/value.ts';
import { type PlainResult, resultOf } from '../../../../calls/executor/support/result.ts';
import { callParts } from '../../../../support/call-of.ts';
import { graphqlParts, serverParts } from '../../../../support/gateway-parts.ts';

const plan = (columns: readonly Column[]) =>
  newPlan({ isCallers: false, sql: '', statement: {}, columns, parameters: new Map() });

const settings = {
  description: '',
  maxRows: 1000,
  sandbox: true,
  redactPii: false,
  cacheSeconds: 0,
  liveSeconds: 5,
  warmSeconds: 0,
  warm: [],
  staleIfErrorSeconds: 0,
  job: {},
  labels: [],
  allowReservation: false,
  version: '1',
  number: 1,
  file: '',
  columns: new Map(),
  graphql: {},
};

const logPlan = plan([
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  {
    name: 'metadata',
    type: {
      kind: 'ARRAY',
      element: { kind: 'STRUCT', fields: [{ name: 'path', type: { kind: 'STRING' } }] },
    },
  },
]);

/** `logsAll(project, count)` and `logsAllTables(...) { edgeLogs authLogs }`. */
const logsAll: Endpoint = {
  ...settings,
  id: '0b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  name: 'logs.all',
  parameters: [
    { name: 'project', type: { kind: 'STRING' }, required: true, example: 'demo' },
    { name: 'count', type: { kind: 'INT64' }, required: false },
  ],
  plan: logPlan,
  tables: [
    { name: 'edge_logs', plan: logPlan, boundBy: new Set() },
    { name: 'auth_logs', plan: logPlan, boundBy: new Set() },
  ],
};

/** `apiCounts(interval)`, the interval an enum. */
const apiCounts: Endpoint = {
  ...settings,
  id: '1b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  name: 'api-counts',
  sandbox: false,
  parameters: [
    { name: 'interval', type: { kind: 'STRING' }, required: true, values: ['hourly', 'daily'] },
    { name: 'filter', type: { kind: 'JSON' }, required: false },
  ],
  plan: plan([{ name: 'total', type: { kind: 'INT64' } }]),
  tables: [],
};

export function testShape(): SchemaShape {
  const { shape, problems } = buildShape([logsAll, apiCounts], { locate: () => ({ line: 1, column: 1 }) });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return shape;
}

const logRow: Row = ['a', 1_700_000_000_000_000n, [['/rest']]];

/** Rows of the right form for whatever is called. */
export function someRows({ endpoint }: AuthorisedCall): PlainResult {
  const { columns } = endpoint.plan;
  return { columns, rows: [endpoint === logsAll ? logRow : [7n]], truncated: false, engineMs: 0 };
}

const generous: GraphqlSettings = {
  graphqlMaxTokens: 5000,
  graphqlMaxDepth: 20,
  graphqlMaxAliases: 50,
  graphqlMaxDirectives: 50,
  graphqlMaxCalls: 20,
  graphqlMaxBatch: 10,
  graphqlIntrospection: true,
};

/** An answer of `/graphql`, its body parsed where it is JSON. */
export interface GraphqlReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: GraphqlJson;
}

export interface GraphqlJson {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string; readonly argument?: string };
  }[];
}

export interface GraphqlGateway {
  readonly url: string;
  readonly calls: readonly AuthorisedCall[];
  readonly log: readonly string[];
  /** A request with the key, unless the headers say otherwise. */
  fetch(target: string, init?: RequestInit): Promise<GraphqlReply>;
  /** A POST with the operation, or the batch, as its body. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<GraphqlReply>;
}

export interface GraphqlFakes {
  readonly requestTimeoutMs?: number;
  readonly settings?: Partial<GraphqlSettings>;
  readonly answer?: (call: AuthorisedCall, run: Run) => PlainResult | Promise<PlainResult>;
  readonly estimate?: (call: AuthorisedCall) => Estimate;
  /** Why queries are refused that have to run. */
  readonly permits?: { refusal(): GatewayError | undefined };
  /** More keys. */
  readonly keys?: Parameters<typeof keyAccess>[0];
  /** Whether GraphiQL is served. */
  readonly graphiql?: boolean;
}

export const graphqlResponse = 'application/graphql-response+json';

/** The routes of GraphQL, as the table has them. */
export function graphqlRoutes(
  answer: KeyedHandler,
  {
    graphiql,
    requestTimeoutMs = 10_000,
  }: { graphiql?: GraphiqlHandlers | undefined; requestTimeoutMs?: number } = {},
): Route[] {
  const path = '/graphql';
  const accepts = ({ method, headers }: IncomingMessage) => method !== 'POST' && prefersHtml(headers.accept);
  const limits = { timeoutMs: requestTimeoutMs, maxBodyBytes: 1_000_000 };
  return [
    { path, methods: ['GET', 'HEAD'], scope: 'public', accepts, answer: graphiql?.page },
    { path: `${path}/{file}`, methods: ['GET', 'HEAD'], scope: 'public', answer: graphiql?.file },
    { path, methods: ['GET', 'POST'], scope: 'query', ...limits, refusal: graphqlRefusal, answer },
  ];
}

/** GraphQL over HTTP alone, on a free port until the test is over. Its key is `key`. */
export async function runGraphql(fakes: GraphqlFakes = {}): Promise<GraphqlGateway> {
  const { answer = someRows, graphiql = false } = fakes;
  const calls: AuthorisedCall[] = [];
  const executor: Executor = {
    async execute(call, run) {
      calls.push(call);
      try {
        return resultOf(await answer(call, run));
      } catch (error) {
        throw call.shown(error);
      }
    },
    stream: () => Promise.reject(new Error('GraphQL exports nothing')),
    profile: () => Promise.reject(new Error('GraphQL measures nothing')),
    async estimate(call) {
      calls.push(call);
      return fakes.estimate?.(call) ?? { bytesProcessed: undefined };
    },
  };
  const lines: string[] = [];
  const log = {
    info() {},
    warn() {},
    error: (message: string, fields = {}) => lines.push(`${message} ${JSON.stringify(fields)}`),
  };
  const shape = testShape();
  const common = { clock: systemClock, log, settings: { ...generous, ...fakes.settings } };
  const served = servedSchemas(shape, { ...common, documents: memoryBudgets().documents.table() });
  const graphql = graphqlHandler(() => served, {
    ...graphqlParts(),
    ...common,
    calls: callParts(executor, {
      adHocQueries: {
        known: () => undefined,
        plan: async ({ plan, maxRows }, { text }) => ({ canonical: text, plan, maxRows, tables: [] }),
      },
    }),
    ...(fakes.permits && { permits: fakes.permits }),
  });
  const access = keyAccess([
    { name: 'owner', secret: 'key', redact: false, scopes: new Set(['query']) },
    { name: 'import', secret: 'token', redact: false, scopes: new Set(['write']) },
    ...(fakes.keys ?? []),
  ]);
  const pages = graphiql ? graphiqlHandlers(shape) : undefined;
  const server = createServer(
    serverParts(access, { routes: () => graphqlRoutes(graphql, { ...fakes, graphiql: pages }), log }),
  );
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());

  const send = async (target: string, { headers, ...init }: RequestInit = {}): Promise<GraphqlReply> => {
    const response = await fetch(`${url}${target}`, {
      ...init,
      headers: { 'X-API-KEY': 'key', ...(headers as Record<string, string>) },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const json: GraphqlJson = isJson ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, text, json };
  };
  return {
    url,
    calls,
    log: lines,
    fetch: send,
    post: (body, headers) =>
      send('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

/** The codes of an answer's errors. */
export function codes({ json }: GraphqlReply): string[] {
  return (json.errors ?? []).map(({ extensions }) => extensions.code);
}
