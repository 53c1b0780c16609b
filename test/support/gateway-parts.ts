import { readConfig } from '../../src/app/engines/registry.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { type Access, keyAccess } from '../../src/calls/access/authentication/access.ts';
import { noAdHocQueries } from '../../src/calls/call/ad-hoc-query.ts';
import type { Paging } from '../../src/calls/call/authorised-call.ts';
import { Cursors } from '../../src/calls/call/cursors.ts';
import { noPages } from '../../src/calls/call/page-queries.ts';
import type { CallParts } from '../../src/calls/call.ts';
import { Allowances } from '../../src/calls/executor/allowances/allowances.ts';
import { cacheMemory } from '../../src/calls/executor/create-executor.ts';
import type { Executor } from '../../src/calls/executor/executor.ts';
import { noLiveMeter } from '../../src/calls/live/live-meter.ts';
import { LiveResults } from '../../src/calls/live/live-results.ts';
import { LiveTails, type LiveTailsParts } from '../../src/calls/live/live-tails.ts';
import { endpointCatalog, servedIn } from '../../src/definitions/endpoints/endpoint-catalog.ts';
import { memoryBudgets } from '../../src/definitions/settings/memory-budgets.ts';
import { unknownSource } from '../../src/definitions/sources/source.ts';
import { EventReports, noEventMeter } from '../../src/server/collectors/event-reports.ts';
import type { GraphqlHandlerOptions } from '../../src/server/graphql/http/graphql-handler.ts';
import { SharedEvents } from '../../src/server/graphql/http/shared-events.ts';
import { corsPolicy } from '../../src/server/http/response/cors.ts';
import { LiveStreams } from '../../src/server/http/response/live-streams.ts';
import { ResponseCache } from '../../src/server/http/response-cache/response-cache.ts';
import { admission } from '../../src/server/limits/admission.ts';
import { LoadShedder } from '../../src/server/limits/load-shedder.ts';
import { RequestCounter } from '../../src/server/limits/request-counter.ts';
import type { RequestLimits } from '../../src/server/limits/request-limits.ts';
import type { GatewayOptions } from '../../src/server/listener/gateway.ts';
import type { ServerOptions } from '../../src/server/listener/server.ts';
import { noMeter } from './local-executor.ts';
import { metricsOf } from './metrics.ts';

const nothing = () => Promise.reject(new Error('there is nothing of that here'));
const nobody: Executor = { execute: nothing, stream: nothing, estimate: nothing, profile: nothing };
const quiet = { info() {}, warn() {}, error() {} };
const noLimits: RequestLimits = { counter: new RequestCounter(), trustedProxies: 0 };
/** Counts in this process. */
export const ownAllowances = new Allowances({ clock: systemClock, meter: noMeter });
const freePermits = { areTaken: false, refusal: () => undefined };

/** Refuses pages. */
export const noPaging: Paging = { queries: noPages, cursors: new Cursors('a secret of tests') };

/** Sheds nothing. */
export const idleShedder = () =>
  new LoadShedder({
    permits: freePermits,
    callerOf: () => undefined,
    askedBy: () => ({ endpoint: undefined, class: 'default' }),
    isCached: () => false,
  });

/** What watches requests, without looking. */
export const unwatched = {
  cors: corsPolicy(['*']),
  logRequest: undefined,
  requestMeter: { request() {}, failed() {}, deprecated() {} },
  traceRequest: undefined,
};

/** Answers that stay up to date, by the executor's. */
export function liveAnswers(
  executor: Pick<Executor, 'execute'>,
  parts: Partial<LiveTailsParts> = {},
): CallParts['live'] {
  const { answers, live: memory } = memoryBudgets();
  const all = {
    ...{ executor, answers, memory, adHocQueries: noAdHocQueries, isServed: () => true, clock: systemClock },
    ...{ timeoutMs: 30_000, permit: async () => new DisposableStack(), maxQueries: 100, meter: noLiveMeter },
    ...{ makeId: () => 'id', ...parts },
  };
  return { results: new LiveResults(all), tails: new LiveTails(all) };
}

/** What a GraphQL handler has besides its calls. */
export function graphqlParts(): Pick<GraphqlHandlerOptions, 'responses' | 'live' | 'permits'> {
  const [budgets, clock] = [memoryBudgets(), systemClock];
  const limits = { max: 100, maxPerKey: 100, random: Math.random };
  return {
    responses: new ResponseCache({
      ...{ memory: cacheMemory(budgets), clock, meter: noMeter },
      allowances: ownAllowances,
    }),
    live: {
      streams: new LiveStreams({ clock, ...limits, meter: noLiveMeter }),
      sharedEvents: new SharedEvents(budgets.subscriptions),
    },
    permits: freePermits,
  };
}

/** A server of these routes, without limits. */
export function serverParts(
  access: Access,
  given: Partial<ServerOptions> & Pick<ServerOptions, 'routes'>,
): ServerOptions {
  return {
    ...unwatched,
    admission: admission(access, noLimits, ownAllowances),
    shortcut: () => false,
    shedder: idleShedder(),
    revocation: { clock: systemClock, freeMs: 30_000 },
    memoryBudgets: memoryBudgets(),
    ...{ log: quiet, isReady: () => true, health: () => ({}), limits: noLimits },
    ...{ maxConnections: Number.POSITIVE_INFINITY, stopTimeoutMs: 5_000 },
    ...given,
  };
}

/** A gateway without endpoints, callers, limits and a store, except for what is given. */
export function gatewayParts(given: Partial<GatewayOptions>): GatewayOptions {
  const { config = readConfig({}), executor = nobody, adHocQueries = noAdHocQueries } = given;
  const { clock = systemClock, log = quiet, endpoints = endpointCatalog([]) } = given;
  const budgets = given.memoryBudgets ?? memoryBudgets(config);
  const { memory = cacheMemory(budgets) } = given;
  return {
    ...{ access: keyAccess([]), executor, adHocQueries, clock, log, endpoints, shape: { endpoints: [] } },
    paging: given.paging ?? noPaging,
    ...{ config, memory, memoryBudgets: budgets, permits: freePermits, limits: noLimits },
    allowances: ownAllowances,
    live: liveAnswers(executor, { adHocQueries, clock, isServed: servedIn(endpoints) }),
    metrics: metricsOf({
      engine: 'none',
      cachedEntries: () => memory.table.size,
      cachedBytes: () => memory.budget.bytes,
    }),
    ...{ isReady: () => true, health: () => ({}), stopTimeoutMs: 5_000 },
    ...{ maxConnections: Number.POSITIVE_INFINITY, logRequest: undefined, traceRequest: undefined },
    ...{
      isBilled: false,
      trusted: undefined,
      console: undefined,
      deleteRows: undefined,
      exportNamed: undefined,
    },
    ...{
      holdStore: undefined,
      sourceChanges: undefined,
      writeEndpoint: undefined,
      boards: () => [],
      writeBoard: undefined,
      editing: undefined,
      pushEndpoint: undefined,
      whyUnserved: () => undefined,
      receiveRows: nothing,
      purgeEntries: async () => 0,
      functions: async () => [],
    },
    ...{ activities: () => () => ({ cachedResults: 0, lastRun: null }), describeOperations: nothing },
    keys: { fixed: [], read: async () => [], put: nothing, uses: async () => new Map() },
    collectors: {
      resolveSource: (name) => {
        throw unknownSource(name);
      },
      receive: nothing,
      reports: new EventReports({ meter: noEventMeter, log, clock, keep() {} }),
    },
    ...given,
  };
}
