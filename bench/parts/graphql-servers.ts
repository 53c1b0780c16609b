import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import SchemaBuilder from '@pothos/core';
import { createYoga } from 'graphql-yoga';
import { readConfig } from '../../src/app/engines/registry.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { plainLog } from '../../src/base/terminal/log.ts';
import { keyAccess } from '../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../src/calls/access/caller/caller.ts';
import { cacheMemory } from '../../src/calls/executor/create-executor.ts';
import { endpointCatalog } from '../../src/definitions/endpoints/endpoint-catalog.ts';
import { memoryBudgets } from '../../src/definitions/settings/memory-budgets.ts';
import { rowsInMemory } from '../../src/engines/rows/result-rows.ts';
import { buildShape } from '../../src/server/graphql/shape/build-shape.ts';
import { createGatewayServer } from '../../src/server/listener/gateway.ts';
import type { Row } from '../../src/sql/values/value.ts';
import { datetimeTextOfMicros } from '../../src/sql/values/value-text.ts';
import { gatewayParts } from '../../test/support/gateway-parts.ts';
import { localExecutor } from '../../test/support/local-executor.ts';
import { metricsOf } from '../../test/support/metrics.ts';
import { benchEndpoint } from './cache-endpoint.ts';
import { answerProcessorTime } from './processor-time.ts';

/** A process with two GraphQL servers that answer the same operation from rows in memory. */
export interface GraphqlServers {
  /** The servers' URLs, without a path. */
  readonly plain: string;
  readonly gateway: string;
}

export const graphqlKey = 'bench';

/** The body of a request for the rows of a project. All projects have the same rows. */
export function graphqlRequest(project: string): string {
  return JSON.stringify({
    query: 'query Logs($project: String!) { logs(project: $project) { id timestamp eventMessage status } }',
    variables: { project },
  });
}

const { columns } = benchEndpoint.plan;
const message = 'GET | 200 | 198.51.100.110 | 43f1dbef5967aae5-CDG | https://example.net/storage/v1/object';
const rows: Row[] = Array.from({ length: 100 }, (_, index) => [
  `id-${index}`,
  1_795_169_781_986_508n - BigInt(index) * 1_000_000n,
  `${message}/${index}`,
  200n,
]);

async function listenPlain(): Promise<string> {
  const builder = new SchemaBuilder({});
  const records = rows.map(([id, timestamp, eventMessage, status]) => ({
    id: String(id),
    timestamp: `${datetimeTextOfMicros(timestamp as bigint)}Z`,
    eventMessage: String(eventMessage),
    status: String(status),
  }));
  const row = builder.objectRef<(typeof records)[number]>('Row').implement({
    fields: (t) => ({
      id: t.exposeString('id'),
      timestamp: t.exposeString('timestamp'),
      eventMessage: t.exposeString('eventMessage'),
      status: t.exposeString('status'),
    }),
  });
  builder.queryType({
    fields: (t) => ({
      logs: t.field({
        type: [row],
        args: { project: t.arg.string({ required: true }) },
        resolve: async () => records,
      }),
    }),
  });
  const server = createServer(createYoga({ schema: builder.toSchema(), logging: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function listenGateway(cacheSeconds: number): Promise<string> {
  const endpoint = { ...benchEndpoint, cacheSeconds };
  const settings = readConfig({});
  const engine = {
    run: async () => ({ columns, rows: rowsInMemory(rows), truncated: false, engineMs: 0 }),
    estimate: async () => ({ bytesProcessed: undefined }),
    stream: () => Promise.reject(new Error('the benchmark exports nothing')),
  };
  const { shape } = buildShape([endpoint], { locate: () => ({ line: 1, column: 1 }) });
  const memory = cacheMemory(memoryBudgets(settings));
  const metrics = metricsOf({
    engine: 'none',
    cachedEntries: () => memory.table.size,
    cachedBytes: () => memory.budget.bytes,
  });
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess([{ name: 'bench', secret: graphqlKey, redact: false, scopes: everyScope }]),
      endpoints: endpointCatalog([endpoint]),
      executor: localExecutor({ engine, memory, clock: systemClock, meter: metrics.executor, settings }),
      metrics,
      clock: systemClock,
      receiveRows: () => Promise.reject(new Error('the benchmark takes no rows')),
      log: plainLog((line) => process.stderr.write(line)),
      config: settings,
      shape,
    }),
  );
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  return url;
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  answerProcessorTime();
  const cacheSeconds = Number(process.argv[2]);
  const servers: GraphqlServers = { plain: await listenPlain(), gateway: await listenGateway(cacheSeconds) };
  process.send(servers);
}
