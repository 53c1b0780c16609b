import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { raceWithAbort } from '../../../src/base/async/race-with-abort.ts';
import type { Log, LogFields } from '../../../src/base/terminal/log.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { AuthorisedCall } from '../../../src/calls/call/authorised-call.ts';
import type { Executor, Run } from '../../../src/calls/executor/executor.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import type { Estimate } from '../../../src/engines/engine/engine.ts';
import type { SchemaShape } from '../../../src/server/graphql/shape/shape.ts';
import { createGatewayServer, type GatewayOptions } from '../../../src/server/listener/gateway.ts';
import type { Server } from '../../../src/server/listener/server.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { type PlainResult, resultOf } from '../../calls/executor/support/result.ts';
import { gatewayParts } from '../../support/gateway-parts.ts';

export const logsId = '0b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';

/** An endpoint with a parameter of every kind of strictness, sandboxed. */
export const logsAll: Endpoint = {
  id: logsId,
  name: 'logs.all',
  version: '1',
  number: 1,
  description: '',
  maxRows: 1000,
  parameters: [
    { name: 'project', type: { kind: 'STRING' }, required: true },
    { name: 'interval', type: { kind: 'STRING' }, required: false, values: ['hourly', 'daily'] },
    { name: 'count', type: { kind: 'INT64' }, required: false },
    { name: 'since', type: { kind: 'TIMESTAMP' }, required: false },
  ],
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
  file: '',
  plan: newPlan({ isCallers: false, sql: '', statement: {}, columns: [], parameters: new Map() }),
  columns: new Map(),
  graphql: {},
  tables: [],
};

export const plainEndpoint: Endpoint = {
  ...logsAll,
  id: '1b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  name: 'plain ä/name',
  parameters: [],
  sandbox: false,
};

export const redactedEndpoint: Endpoint = {
  ...plainEndpoint,
  id: '2c2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  name: 'redacted',
  redactPii: true,
};

export const noRows: PlainResult = { columns: [], rows: [], truncated: false, engineMs: 0 };

/** What a fake executor was asked. */
interface Asked {
  readonly calls: AuthorisedCall[];
  /** How each of the calls was run. */
  readonly runs: Run[];
  readonly estimates: AuthorisedCall[];
}

/** An executor that answers the same to everything, and keeps what it was asked. */
export function fakeExecutor(
  answer: (call: AuthorisedCall, run: Run) => PlainResult | Promise<PlainResult> = () => noRows,
  estimate: (call: AuthorisedCall) => Estimate = () => ({ bytesProcessed: undefined }),
): Executor & Asked {
  const [calls, runs, estimates]: [AuthorisedCall[], Run[], AuthorisedCall[]] = [[], [], []];
  const plan = async (call: AuthorisedCall, { signal }: Run) => {
    if (call.text !== undefined) await call.plan(signal);
  };
  const answered = async (call: AuthorisedCall, run: Run): Promise<PlainResult> => {
    calls.push(call);
    runs.push(run);
    try {
      return await raceWithAbort(async () => answer(call, run), run.signal);
    } catch (error) {
      throw call.shown(error);
    }
  };
  return {
    calls,
    runs,
    estimates,
    async execute(call, run) {
      await plan(call, run);
      return resultOf(await answered(call, run));
    },
    async stream(call, run, take) {
      const { columns, rows, ...end } = await answered(call, run);
      await take({ columns });
      for (const row of rows) await take({ columns, batch: columnsOfRows(columns, [row]) });
      return end;
    },
    async profile(call, run) {
      await answered(call, run);
      return { milliseconds: 5, steps: [] };
    },
    async estimate(call, run) {
      await plan(call, run);
      estimates.push(call);
      return estimate(call);
    },
  };
}

/** A log that keeps its lines. */
export function fakeLog(): Log & { readonly lines: string[]; readonly fields: LogFields[] } {
  const [lines, fields]: [string[], LogFields[]] = [[], []];
  const add =
    (level: string) =>
    (message: string, said: LogFields = {}) => {
      lines.push(`${level}: ${message}`);
      fields.push(said);
    };
  return { lines, fields, info: add('info'), warn: add('warn'), error: add('error') };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Call {
  readonly method?: string;
  /** Pairs of header names and values, so that headers can repeat. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
  /** Without the key unless told otherwise. */
  readonly anonymous?: boolean;
}

export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  readonly executor: ReturnType<typeof fakeExecutor>;
  readonly log: ReturnType<typeof fakeLog>;
  /** The table of routes. */
  readonly routes: Server['routes'];
  call(target: string, call?: Call): Promise<Reply>;
  /** The parameters that the executor was given by the call. */
  parametersOf(target: string, call?: Call): Promise<Record<string, Value>>;
  useShape(shape: SchemaShape): void;
  drain(): void;
  close(): Promise<void>;
}

export interface GatewayFakes extends Partial<Omit<GatewayOptions, 'config' | 'executor' | 'log'>> {
  readonly executor?: ReturnType<typeof fakeExecutor>;
  readonly requestTimeoutMs?: number;
  readonly queryErrorsAs200?: boolean;
  readonly uploadTimeoutMs?: number;
  /** Environment variables of further settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A gateway that listens on a free port until the test is over. Its key is `key`. */
export async function runGateway(fakes: GatewayFakes = {}): Promise<RunningGateway> {
  const { executor = fakeExecutor(), requestTimeoutMs = 10_000, queryErrorsAs200 = false } = fakes;
  const { uploadTimeoutMs = 60_000 } = fakes;
  const log = fakeLog();
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess([
        { name: 'owner', secret: 'key', redact: false, scopes: everyScope },
        { name: 'import', secret: 'token', redact: false, scopes: new Set(['write']) },
      ]),
      endpoints: endpointCatalog([logsAll, plainEndpoint, redactedEndpoint]),
      receiveRows: async () => ({ imported: 0, duplicates: 0, rejected: [], rejectedCount: 0 }),
      ...fakes,
      executor,
      log,
      config: { ...readConfig(fakes.environment ?? {}), requestTimeoutMs, queryErrorsAs200, uploadTimeoutMs },
    }),
  );
  const { url, port } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());

  const call = (target: string, { method = 'GET', headers = [], body, anonymous = false }: Call = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const key = anonymous ? [] : [['X-API-KEY', 'key'] as const];
      const isChunked = headers.some(([name]) => name === 'Transfer-Encoding');
      const length =
        body === undefined || isChunked ? [] : [['Content-Length', `${Buffer.byteLength(body)}`] as const];
      const pairs = [['Host', 'localhost'] as const, ...key, ...length, ...headers];
      // The default agent keeps connections alive: calls also test that they can be used again.
      const request = httpRequest({ port, method, path: target, headers: pairs.flat() }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      });
      request.on('error', reject);
      request.end(body);
    });

  return {
    url,
    port,
    executor,
    log,
    routes: server.routes,
    call,
    async parametersOf(target, options) {
      const reply = await call(target, options);
      const last = executor.calls.at(-1);
      if (reply.status !== 200 || last === undefined) throw new Error(`${reply.status} ${reply.body}`);
      return Object.fromEntries(last.parameters);
    },
    useShape: (shape) => server.useShape(shape),
    drain: () => server.drain(),
    close: () => server.close(),
  };
}

/** Sends the bytes on a connection of their own and gives all that comes back until it is closed. */
export function sendRaw(port: number, ...pieces: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    for (const piece of pieces) socket.write(piece, 'latin1');
  });
}
