import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { gatewayParts } from '../../test/support/gateway-parts.ts';
import { localExecutor } from '../../test/support/local-executor.ts';
import { metricsOf } from '../../test/support/metrics.ts';
import { benchEndpoint } from './cache-endpoint.ts';
import { answerProcessorTime } from './processor-time.ts';

/** The ports of two servers in their own process. */
export interface CacheServers {
  readonly gateway: number;
  /** Responds to every request with the gateway's response, which it stores as bytes. */
  readonly bare: number;
}

export const cacheKey = 'the-key-of-the-benchmark';
export const restTarget = '/api/endpoints/query/logs?project=fjrqomtzlwkgbxhvnuea';

/** Rows of each result. */
export const cacheRows = 100;

const { columns } = benchEndpoint.plan;
const message =
  'GET | 200 | 198.51.100.110 | 43f1dbef5967aae5-CDG | https://example.net/storage/v1/object/public/avatars/of/all/customers';
const rows: Row[] = Array.from({ length: cacheRows }, (_, index) => [
  `9c1f3c6d-8c1d-4a55-b3f7-0c9c1f3c${String(index).padStart(4, '0')}`,
  1_795_169_781_986_508n - BigInt(index) * 1_000_000n,
  `${message}/${String(index).padStart(4, '0')}`,
  200n,
]);

async function listenGateway(cacheSeconds: number): Promise<number> {
  const endpoint = { ...benchEndpoint, cacheSeconds };
  const config = readConfig({});
  const engine = {
    run: async () => ({ columns, rows: rowsInMemory(rows), truncated: false, engineMs: 0 }),
    estimate: async () => ({ bytesProcessed: undefined }),
    stream: () => Promise.reject(new Error('the benchmark exports nothing')),
  };
  const { shape } = buildShape([endpoint], { locate: () => ({ line: 1, column: 1 }) });
  const memory = cacheMemory(memoryBudgets(config));
  const metrics = metricsOf({
    engine: 'none',
    cachedEntries: () => memory.table.size,
    cachedBytes: () => memory.budget.bytes,
  });
  const clock = systemClock;
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess([{ name: 'bench', secret: cacheKey, redact: false, scopes: everyScope }]),
      endpoints: endpointCatalog([endpoint]),
      memory,
      metrics,
      executor: localExecutor({ engine, memory, clock, meter: metrics.executor, settings: config }),
      clock,
      receiveRows: () => Promise.reject(new Error('the benchmark takes no rows')),
      log: plainLog((line) => process.stderr.write(line)),
      config,
      shape,
    }),
  );
  return (await server.listen({ host: '127.0.0.1', port: 0 })).port;
}

async function listenBare(gateway: number): Promise<number> {
  const headers = { 'X-API-KEY': cacheKey, 'Accept-Encoding': 'identity' };
  const answer = await fetch(`http://127.0.0.1:${gateway}${restTarget}`, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  answerProcessorTime();
  const gateway = await listenGateway(Number(process.argv[2]));
  const servers: CacheServers = { gateway, bare: await listenBare(gateway) };
  process.send(servers);
}
