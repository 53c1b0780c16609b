import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Allowances } from '../../calls/executor/allowances/allowances.ts';
import type { ReadBoard } from '../../definitions/boards/read-board.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { tablesEndpoint } from '../../definitions/endpoints/tables-endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import type { DeleteRows } from '../../rows/deletion/row-deleter.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { boardFileHandler, type WriteBoard } from '../boards/board-file-handler.ts';
import { boardsHandlers } from '../boards/boards-handler.ts';
import { type CollectorOptions, collectorHandlers } from '../collectors/collector-handler.ts';
import { logflareProtocol, logflareSpellings } from '../collectors/logflare-protocol.ts';
import { otlpProtocol } from '../collectors/otlp-protocol.ts';
import { type ReceiveRows, rowsHandler } from '../collectors/rows-handler.ts';
import type { BuiltFile } from '../console/console-handler.ts';
import { consoleHandlers } from '../console/console-handler.ts';
import {
  callerHandler,
  type DiscoveryOptions,
  discoveryHandlers,
  functionsHandler,
} from '../discovery/discovery-handler.ts';
import type { GraphiqlHandlers } from '../graphql/graphiql/graphiql-handler.ts';
import { prefersHtml } from '../graphql/http/accept.ts';
import { graphqlRefusal } from '../graphql/http/graphql-answer.ts';
import {
  type GraphqlHandlerOptions,
  graphqlHandler,
  type ServedSchemas,
} from '../graphql/http/graphql-handler.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import type { SchemaShape } from '../graphql/shape/shape.ts';
import type { KeyedHandler, PublicHandler, Route } from '../http/route.ts';
import { mcpHandler } from '../mcp/mcp-handler.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';
import { cacheHandlers, type PurgeEntries } from '../operator/cache-handler.ts';
import { endpointFileHandler, type WriteEndpoint } from '../operator/endpoint-file-handler.ts';
import { editingHandlers } from '../operator/endpoint-files/editing-handlers.ts';
import type { EndpointEditing } from '../operator/endpoint-files/endpoint-editing.ts';
import { endpointPushHandler, type PushEndpoint } from '../operator/endpoint-push-handler.ts';
import { keysHandlers, type ManagedKeys } from '../operator/keys-handler.ts';
import { livenessHandler, metricsHandler } from '../operator/monitoring.ts';
import type { OperationsDocument } from '../operator/operations.ts';
import { operationsHandler } from '../operator/operations.ts';
import { profileHandler } from '../operator/profile-handler.ts';
import { type SourceChanges, sourcesHandler } from '../operator/source-handlers.ts';
import { deletionHandler, type ExportNamed, exportHandler, holdHandler } from '../operator/store-handlers.ts';
import { restHandler, restRefusal } from '../rest/rest-handler.ts';

/** The console, as the gateway serves it. */
export interface ServedConsole {
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Whether the page takes a key from the fragment of its address. */
  readonly keyInAddress?: boolean;
  /** Whether it has the page of its components. */
  readonly kit?: boolean;
}

/** The parts that routes use. */
export interface RouteParts extends Pick<DiscoveryOptions, 'activities' | 'unavailable'> {
  readonly endpoints: EndpointCatalog;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether queries cost money. */
  readonly isBilled: boolean;
  /** Purges cached results. */
  readonly purgeEntries: PurgeEntries;
  readonly metrics: GatewayMetrics;
  /** If undefined, there is no console. */
  readonly console: ServedConsole | undefined;
  /** The functions that ad-hoc queries can call. */
  readonly functions: () => Promise<readonly CallableFunction[]>;
  /** The stored keys. */
  readonly keys: ManagedKeys;
  /** Describes this gateway. */
  readonly describeOperations: () => Promise<OperationsDocument>;
  /** The first error in the file of a source that isn't served: an unknown name may be its alias. Undefined if there is none. */
  readonly whyUnserved: () => string | undefined;
  readonly receiveRows: ReceiveRows;
  /** Deletes rows of the store. If undefined, there is no store, and the route does not exist. */
  readonly deleteRows: DeleteRows | undefined;
  /** Exports the rows of sources. If undefined, there is no store, and the route does not exist. */
  readonly exportNamed: ExportNamed | undefined;
  readonly allowances: Pick<Allowances, 'during' | 'admit' | 'charge' | 'countRows'>;
  /** Keeps the store's files for a backup. If undefined, there is no store, and the route does not exist. */
  readonly holdStore: RowStore['hold'] | undefined;
  /** Follows changed files of sources. If undefined, there is no store, and the routes do not exist. */
  readonly sourceChanges: SourceChanges | undefined;
  /** Writes the files of new endpoints. If undefined, the route does not exist. */
  readonly writeEndpoint: WriteEndpoint | undefined;
  /** The boards that there are now. */
  readonly boards: () => readonly ReadBoard[];
  /** Writes the files of boards. If undefined, the route does not exist. */
  readonly writeBoard: WriteBoard | undefined;
  /** Helps with the texts of endpoints. If undefined, the routes do not exist. */
  readonly editing: (() => Promise<EndpointEditing>) | undefined;
  /** Pushes the files of endpoints to branches. If undefined, the gateway pushes none. */
  readonly pushEndpoint: PushEndpoint | undefined;
  /** Receives the events of collectors. */
  readonly collectors: CollectorOptions;
  /** How often the pace of an upload is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
}

/** The settings that routes depend on. */
export type RouteSettings = Pick<
  Config,
  | 'requestTimeoutMs'
  | 'queryErrorsAs200'
  | 'unknownParameters'
  | 'engine'
  | 'engines'
  | 'graphiql'
  | 'metricsPublic'
  | 'uploadTimeoutMs'
  | 'uploadMinBytesPerSecond'
  | 'ingestMaxBodyBytes'
  | 'otlpSource'
> &
  GraphqlHandlerOptions['settings'];

/** The parts that the server makes for its routes. */
interface ServerParts extends Omit<GraphqlHandlerOptions, 'settings'> {
  readonly memoryBudgets: Pick<MemoryBudgets, 'events'>;
  readonly config: RouteSettings;
  /** The endpoints that are served now: they may be replaced while a body arrives. */
  readonly shape: () => SchemaShape;
  readonly graphql: () => ServedSchemas;
  readonly graphiql: GraphiqlHandlers;
  readonly readiness: PublicHandler;
}

/** Repositories are slower than engines. Proxies usually wait as long. */
const pushTimeoutMs = 60_000;

const read = ['GET', 'HEAD'];
const query = { scope: 'query' } as const;
const operator = { scope: 'admin', isUnrestricted: true } as const;
const health = { methods: read, scope: 'public', isUncounted: true } as const;
const forPages = ({ method = '', headers }: IncomingMessage) =>
  read.includes(method) && prefersHtml(headers.accept);

/** Fails as `handler` does. A source whose file has errors since the start is unavailable, not unknown: rows are to be sent again. */
function toSource(handler: KeyedHandler, whyUnserved: RouteParts['whyUnserved']): KeyedHandler {
  return async (call) => {
    try {
      return await handler(call);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.details.unknownSource === undefined) throw error;
      const reason = whyUnserved();
      if (reason === undefined) throw error;
      const message = `${error.message} It may be that of a file with errors: ${reason}`;
      throw new GatewayError('BACKEND_UNAVAILABLE', message);
    }
  };
}

/** The route for ad-hoc queries over all sources. */
function ofSources(answer: KeyedHandler): KeyedHandler {
  return (call) => answer({ ...call, segment: tablesEndpoint });
}

/** All routes, in the order in which they are matched. */
export function routes(parts: RouteParts & ServerParts): readonly Route[] {
  const { config, shape, clock } = parts;
  const timeoutMs = config.requestTimeoutMs;
  const rest = { ...query, api: 'rest', timeoutMs, refusal: restRefusal(config.queryErrorsAs200) } as const;
  const cache = cacheHandlers(parts);
  const discovery = discoveryHandlers(shape, parts);
  const boards = boardsHandlers(parts.boards, shape);
  const page = parts.console;
  const console =
    page && consoleHandlers({ keyInAddress: false, kit: false, ...page, graphiql: config.graphiql });
  const keys = keysHandlers(parts);
  const editing = parts.editing && editingHandlers({ ...parts, editing: parts.editing });
  const ofText = { methods: ['POST'], ...operator, timeoutMs, maxBodyBytes: 1_000_000 } as const;
  const collector = collectorHandlers(parts.collectors, { ...parts, ...config });
  const received = (handler: KeyedHandler) => toSource(handler, parts.whyUnserved);
  const eventsOf = (protocol: Parameters<typeof collector>[0]) => {
    const { answer, ...refusal } = collector(protocol);
    return { answer: received(answer), ...refusal };
  };
  const events = { methods: ['POST'], scope: 'write', maxBodyBytes: config.ingestMaxBodyBytes } as const;
  // biome-ignore format: a table has a line for each route
  return [
    { path: '/api/endpoints/query/{endpoint}{/}', methods: ['GET', 'POST', 'HEAD'], ...rest, answer: restHandler(parts) },
    { path: '/api/endpoints/query/name/{endpoint}{/}', methods: read, ...rest, answer: restHandler(parts, true) },
    { path: '/api/endpoints/query/{endpoint}/versions/{version}{/}', methods: ['GET', 'POST', 'HEAD'], ...rest, answer: restHandler(parts) },
    { path: '/endpoints/query/{endpoint}{/}', methods: read, ...rest, answer: restHandler(parts) },
    { path: '/api/sql{/}', methods: ['POST'], ...rest, answer: ofSources(restHandler(parts)) },
    { path: graphqlPath, methods: read, scope: 'public', accepts: forPages, answer: config.graphiql ? parts.graphiql.page : undefined },
    { path: `${graphqlPath}/{file}`, methods: read, scope: 'public', answer: config.graphiql ? parts.graphiql.file : undefined },
    { path: graphqlPath, methods: ['GET', 'POST'], ...query, api: 'graphql', timeoutMs, maxBodyBytes: 1_000_000, refusal: graphqlRefusal, answer: graphqlHandler(parts.graphql, { ...parts, settings: config }) },
    { path: '/mcp', methods: ['POST'], ...query, api: 'mcp', timeoutMs, maxBodyBytes: 1_000_000, answer: mcpHandler(shape, parts) },
    { path: '/livez', spellings: ['/health'], ...health, answer: livenessHandler },
    { path: '/readyz', spellings: ['/ready'], ...health, answer: parts.readiness },
    { path: '/', methods: read, scope: 'public', accepts: forPages, answer: console?.page },
    { path: '/console/{file}', methods: read, scope: 'public', answer: console?.file },
    { path: '/api/endpoints/cache{/}', methods: ['DELETE'], ...operator, answer: cache.all },
    { path: '/api/endpoints/cache/{endpoint}{/}', methods: ['DELETE'], scope: 'admin', answer: cache.one },
    { path: '/api/endpoints{/}', methods: read, ...query, answer: discovery.list },
    { path: '/api/endpoints/{endpoint}{/}', methods: read, ...query, answer: discovery.one },
    { path: '/api/endpoints/{endpoint}{/}', methods: ['PUT'], ...operator, timeoutMs, maxBodyBytes: 1_000_000, answer: parts.writeEndpoint && endpointFileHandler(parts.writeEndpoint) },
    { path: '/api/endpoint-profiles/{endpoint}', methods: ['POST'], ...operator, timeoutMs, maxBodyBytes: 100_000, answer: profileHandler(parts) },
    { path: '/api/boards{/}', methods: read, ...query, answer: boards.list },
    { path: '/api/boards/{board}{/}', methods: read, ...query, answer: boards.one },
    { path: '/api/boards/{board}{/}', methods: ['PUT'], ...operator, timeoutMs, maxBodyBytes: 1_000_000, answer: parts.writeBoard && boardFileHandler(parts.writeBoard) },
    { path: '/api/endpoint-files/{endpoint}', methods: read, ...operator, answer: editing?.read },
    { path: '/api/drafts/check', ...ofText, answer: editing?.check },
    { path: '/api/drafts/complete', ...ofText, answer: editing?.complete },
    { path: '/api/drafts/hover', ...ofText, answer: editing?.hover },
    { path: '/api/drafts/literals', ...ofText, answer: editing?.literals },
    { path: '/api/drafts/diff', ...ofText, answer: editing?.compare },
    { path: '/api/drafts/try', ...ofText, answer: editing?.try },
    { path: '/api/drafts/push', ...ofText, timeoutMs: pushTimeoutMs, answer: parts.editing && endpointPushHandler(parts.editing, parts.pushEndpoint) },
    // Its callers may have other scopes: the document says what they may do.
    { path: '/api/openapi.json', methods: read, scope: 'any', answer: discovery.openApi },
    { path: '/api/caller', methods: read, scope: 'any', answer: callerHandler(parts) },
    { path: '/api/functions', methods: read, ...query, answer: functionsHandler(parts.functions) },
    { path: '/api/sources/{source}/rows', methods: ['DELETE'], scope: 'admin', answer: parts.deleteRows && deletionHandler(parts.deleteRows) },
    { path: '/api/sources/{source}/rows', methods: ['POST'], scope: 'write', answer: received(rowsHandler({ ...parts, ...config })) },
    { path: '/api/sources/{source}/export', methods: ['GET'], ...operator, answer: parts.exportNamed && exportHandler(parts.exportNamed, parts.allowances) },
    { path: '/api/sources/plan', methods: ['POST'], ...operator, answer: parts.sourceChanges && sourcesHandler(parts.sourceChanges.plan, false) },
    { path: '/api/sources/apply', methods: ['POST'], ...operator, answer: parts.sourceChanges && sourcesHandler(parts.sourceChanges.apply, true) },
    { path: '/api/logs', spellings: logflareSpellings, ...events, ...eventsOf(logflareProtocol()) },
    { path: '/v1/logs', ...events, ...eventsOf(otlpProtocol(config.otlpSource)) },
    { path: '/api/keys{/}', methods: read, ...operator, answer: keys.list },
    { path: '/api/keys{/}', methods: ['POST'], ...operator, timeoutMs, maxBodyBytes: 100_000, answer: keys.make },
    { path: '/api/keys/{key}', methods: ['DELETE'], ...operator, answer: keys.revoke },
    { path: '/api/keys/{key}/rotate', methods: ['POST'], ...operator, timeoutMs, maxBodyBytes: 100_000, answer: keys.rotate },
    { path: '/api/operations', methods: read, ...operator, answer: operationsHandler(parts.describeOperations) },
    { path: '/api/store/hold', methods: ['POST'], ...operator, answer: parts.holdStore && holdHandler(parts.holdStore, clock) },
    { path: '/metrics', methods: read, scope: config.metricsPublic ? 'public' : 'any', isUnrestricted: !config.metricsPublic, answer: metricsHandler(parts.metrics) },
  ];
}
