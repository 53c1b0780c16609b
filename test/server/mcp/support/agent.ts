import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { keyAccess } from '../../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../../src/calls/access/caller/caller.ts';
import type { AuthorisedCall } from '../../../../src/calls/call/authorised-call.ts';
import type { Run } from '../../../../src/calls/executor/executor.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../../../src/definitions/endpoints/endpoint-catalog.ts';
import { buildShape } from '../../../../src/server/graphql/shape/build-shape.ts';
import type { SchemaShape } from '../../../../src/server/graphql/shape/shape.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import type { Column } from '../../../../src/sql/values/type.ts';
import type { Row } from '../../../../src/sql/values/value.ts';
import type { PlainResult } from '../../../calls/executor/support/result.ts';
import {
  fakeExecutor,
  type GatewayFakes,
  logsAll,
  type RunningGateway,
  runGateway,
} from '../../listener/running-gateway.ts';

export const plan = (columns: readonly Column[]) =>
  newPlan({ isCallers: false, sql: '', statement: {}, columns, parameters: new Map() });

export const logColumns: readonly Column[] = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  {
    name: 'metadata',
    type: {
      kind: 'ARRAY',
      element: { kind: 'STRUCT', fields: [{ name: 'path', type: { kind: 'STRING' } }] },
    },
  },
];

/** A sandboxed endpoint, of whose tables only `edge_logs` depends on the project. */
export const logs: Endpoint = {
  ...logsAll,
  description: 'The newest log rows.',
  maxRows: 1000,
  parameters: [
    {
      name: 'project',
      type: { kind: 'STRING' },
      required: true,
      description: 'Whose rows.',
      example: 'demo',
    },
    { name: 'level', type: { kind: 'STRING' }, required: false, values: ['info', 'error'], default: 'info' },
    { name: 'count', type: { kind: 'INT64' }, required: false, min: '1', max: '50' },
    { name: 'ids', type: { kind: 'ARRAY', element: { kind: 'INT64' } }, required: false, maxItems: 3 },
    { name: 'since', type: { kind: 'TIMESTAMP' }, required: false },
    { name: 'filter', type: { kind: 'JSON' }, required: false },
    { name: 'code', type: { kind: 'STRING' }, required: false, pattern: '[a-z]+' },
  ],
  plan: plan(logColumns),
  columns: new Map([['id', { nullable: false, description: 'The id of the row.' }]]),
  tables: [
    { name: 'edge_logs', plan: plan(logColumns), boundBy: new Set(['project']) },
    { name: 'all logs', plan: plan(logColumns), boundBy: new Set() },
  ],
};

/** An endpoint that has neither a project nor tables, and a parameter of the name of the tools' own argument. */
export const totals: Endpoint = {
  ...logs,
  id: '1b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  name: 'totals',
  description: '',
  sandbox: false,
  redactPii: true,
  parameters: [{ name: 'max_rows', type: { kind: 'INT64' }, required: false }],
  plan: plan([
    { name: 'total', type: { kind: 'INT64' } },
    { name: 'ratio', type: { kind: 'FLOAT64' } },
    { name: 'text', type: { kind: 'STRING' } },
  ]),
  columns: new Map(),
  tables: [],
};

export function resultWith(columns: readonly Column[], rows: readonly Row[], truncated = false): PlainResult {
  return { columns, rows, truncated, engineMs: 1 };
}

const logRow = (index: number): Row => [`id-${index}`, 1_700_000_000_000_000n + BigInt(index), [['/rest']]];

/** That many rows of the form of `logs`. */
export function logRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => logRow(index));
}

/** The keys of the tests: their text is their name. */
const callers: readonly Omit<Caller, 'scopes'>[] = [
  { name: 'owner', redact: false },
  { name: 'tenant', redact: false, projects: new Set(['a', 'b']) },
  { name: 'pinned', redact: false, pins: new Map([['project', 'p']]) },
  { name: 'totals-only', redact: false, endpoints: new Set(['totals']) },
  { name: 'discreet', redact: true },
  { name: 'rare', redact: false, rate: { requests: 3, seconds: 3600 } },
];

export interface Agents {
  readonly gateway: RunningGateway;
  readonly calls: readonly AuthorisedCall[];
  /** A client of the SDK with the key, connected to the gateway. */
  connect(key?: string, headers?: Readonly<Record<string, string>>): Promise<Client>;
  /** Sends one message, as it is, with the headers that the protocol wants. */
  send(message: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** `logs` and `totals`. */
export function agentShape(): SchemaShape {
  return shapeOf([logs, totals]);
}

export function shapeOf(endpoints: readonly Endpoint[]): SchemaShape {
  const { shape, problems } = buildShape(endpoints, { locate: () => ({ line: 1, column: 1 }) });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return shape;
}

/** A gateway with `logs` and `totals`. */
export async function runForAgents(
  answer: (call: AuthorisedCall, run: Run) => PlainResult | Promise<PlainResult> = ({ endpoint }) =>
    resultWith(endpoint.plan.columns, endpoint.name === 'totals' ? [] : logRows(2)),
  fakes: GatewayFakes = {},
): Promise<Agents> {
  const executor = fakeExecutor(answer);
  const gateway = await runGateway({
    access: keyAccess([
      ...callers.map((caller) => ({ ...caller, secret: caller.name, scopes: new Set(['query'] as const) })),
      { name: 'import', secret: 'import', redact: false, scopes: new Set(['write']) },
    ]),
    adHocQueries: {
      known: () => undefined,
      plan: async ({ tables, maxRows }, { text }) => {
        const read = tables.filter(({ name }) => text.includes(name));
        return { canonical: text, plan: plan([]), maxRows, tables: read };
      },
    },
    endpoints: endpointCatalog([logs, totals]),
    ...fakes,
    shape: agentShape(),
    executor,
  });
  return {
    gateway,
    calls: executor.calls,
    async connect(key = 'owner', headers = {}) {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
        requestInit: { headers: { 'X-API-KEY': key, ...headers } },
      });
      // The SDK's own types disagree about optional properties.
      await client.connect(transport as Parameters<Client['connect']>[0]);
      onTestFinished(() => client.close());
      return client;
    },
    send: (message, headers = {}) =>
      fetch(`${gateway.url}/mcp`, {
        method: 'POST',
        headers: {
          'X-API-KEY': 'owner',
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: message,
      }),
  };
}

/** Calls a tool. */
export async function call(client: Client, name: string, values: Record<string, unknown> = {}) {
  return (await client.callTool({ name, arguments: values })) as CallToolResult;
}

/** The texts of a result. */
export function textsOf({ content }: CallToolResult): string[] {
  return content.map((each) => (each.type === 'text' ? each.text : ''));
}
