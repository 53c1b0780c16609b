import { type Caller, isRestricted, mayQuerySources, scopes } from '../../../calls/access/caller/caller.ts';
import { boardPaths } from './board-paths.ts';
import { editingPaths } from './editing-paths.ts';
import type { OperationIds } from './endpoint-paths.ts';
import { answered } from './error-responses.ts';
import { listOf, orNull, record, strings } from './json-schema.ts';
import { operatorPaths } from './operator-paths.ts';

const text = { type: 'string' };
const texts = { type: ['string', 'array', 'null'], items: text };
const columns = listOf(record(strings('name', 'type', 'description')));

const parameter = record(
  {
    ...strings('name', 'type', 'description'),
    required: { type: 'boolean' },
    default: texts,
    values: orNull(listOf(text)),
    example: texts,
  },
  { ...strings('min', 'max', 'pattern'), maxLength: { type: 'integer' }, maxItems: { type: 'integer' } },
);

const variable = record(strings('parameter', 'name'), {
  members: { type: 'object', additionalProperties: text },
});

const lastRun = record({
  at: { type: 'string', format: 'date-time' },
  milliseconds: { type: 'number' },
  failed: { type: 'boolean' },
});

/** By which keys a result is read in pages, or why it can't be. */
const pages = record(
  {},
  { order: listOf(text), keys: record(strings('limit', 'after')), ...strings('refused') },
);

/** The properties that every description has. */
const always = {
  ...strings('id', 'name', 'version', 'description', 'graphqlField'),
  number: { type: 'integer' },
  maxRows: { type: 'integer' },
  exportRows: { type: 'integer' },
  cacheSeconds: { type: 'integer' },
  sandbox: { type: 'boolean' },
  filterable: { type: 'boolean', description: 'Whether its rows can be filtered and ordered.' },
  parameters: listOf(parameter),
  columns,
  pages,
  tables: listOf(record({ ...strings('name'), columns, pages }, strings('time', 'path'))),
  liveTables: listOf(text),
};

/** The properties that some descriptions have. */
const some = {
  activity: record({ cachedResults: { type: 'integer' }, lastRun: orNull(lastRun) }),
  stale: listOf(text),
  unavailable: text,
  ...strings('deprecated', 'sunset'),
  older: listOf({ type: 'object' }),
};

/** An endpoint in the list. */
const listedEndpoint = record(always, some);

/** An endpoint whose file has errors, so that it is not served. */
const unavailableEndpoint = record({ ...strings('id', 'name'), errors: listOf(text) });

/** An endpoint by itself. */
const describedEndpoint = record(always, {
  ...some,
  graphql: record({ ...strings('query'), variables: listOf(variable) }),
  definition: record({ ...strings('sql'), settings: { type: 'object' } }),
});

const endpointInPath = {
  name: 'endpoint',
  in: 'path',
  required: true,
  description: 'The name or id of an endpoint.',
  schema: { type: 'string' },
};

const activity = {
  name: 'activity',
  in: 'query',
  required: false,
  description: 'Whether to add what endpoints have done in this process.',
  schema: { type: 'boolean', default: false },
};

const callerSchema = (engines: readonly string[]) =>
  record({
    ...strings('name'),
    scopes: listOf({ type: 'string', enum: scopes }),
    restricted: { type: 'boolean' },
    redact: { type: 'boolean' },
    expires: orNull({ type: 'string', format: 'date-time' }),
    engine: { type: 'string', enum: engines },
    billed: { type: 'boolean' },
    writesEndpoints: { type: 'boolean' },
    editsEndpoints: { type: 'boolean' },
    pushesEndpoints: { type: 'boolean' },
    ...strings('version'),
  });

const functionsSchema = record({
  functions: listOf(
    record({ ...strings('name'), kind: { type: 'string', enum: ['scalar', 'aggregate', 'window'] } }),
  ),
});

/**
 * The paths about endpoints and sources that the caller's scopes permit.
 *
 * @param engines the names that an engine can have
 */
export function gatewayPaths(
  { scopes: granted, ...bounds }: Caller,
  ids: OperationIds,
  engines: readonly string[],
): Readonly<Record<string, object>> {
  const tags = ['Gateway'];
  const { sources } = bounds;
  const source = { type: 'string', ...(sources && { enum: [...sources] }) };
  return {
    '/api/endpoints': {
      get: {
        ...{ operationId: ids.unused('listEndpoints'), tags, summary: 'The endpoints that the key may call' },
        parameters: [activity],
        responses: answered(
          record({ endpoints: listOf(listedEndpoint) }, { unavailable: listOf(unavailableEndpoint) }),
        ),
      },
    },
    '/api/endpoints/{endpoint}': {
      get: {
        ...{ operationId: ids.unused('getEndpoint'), tags, summary: 'An endpoint that the key may call' },
        parameters: [endpointInPath, activity],
        responses: answered(describedEndpoint),
      },
    },
    ...(granted.has('query') && boardPaths(ids)),
    '/api/caller': {
      get: {
        ...{ operationId: ids.unused('getCaller'), tags, summary: 'Whose key it is, and what it may do' },
        responses: answered(callerSchema(engines)),
      },
    },
    ...(granted.has('query') &&
      mayQuerySources({ scopes: granted, ...bounds }) && {
        '/api/sql': {
          post: {
            ...{ operationId: ids.unused('querySources'), tags, summary: 'A query over all sources' },
            requestBody: {
              required: true,
              content: { 'application/json': { schema: record(strings('sql'), strings('format')) } },
            },
            responses: answered(record({ result: listOf({ type: 'object' }) })),
          },
        },
      }),
    ...(granted.has('query') && {
      '/api/functions': {
        get: {
          ...{ operationId: ids.unused('listFunctions'), tags },
          summary: 'The SQL functions that ad-hoc queries can call',
          responses: answered(functionsSchema),
        },
      },
    }),
    '/api/openapi.json': {
      get: {
        ...{ operationId: ids.unused('getOpenApi'), tags, summary: 'This document' },
        responses: answered({ type: 'object' }),
      },
    },
    ...(granted.has('admin') && !isRestricted(bounds) && { ...operatorPaths(ids), ...editingPaths(ids) }),
    ...(granted.has('admin') && {
      '/api/endpoints/cache/{endpoint}': {
        delete: {
          ...{ operationId: ids.unused('purgeCache'), tags, summary: 'Purges cached results of an endpoint' },
          parameters: [endpointInPath],
          responses: answered(record({ dropped: { type: 'integer' } })),
        },
      },
    }),
    ...(granted.has('write') &&
      bounds.projects === undefined &&
      bounds.pins === undefined && {
        '/api/sources/{source}/rows': {
          post: {
            ...{ operationId: ids.unused('uploadRows'), tags, summary: 'Adds rows to a source' },
            parameters: [
              {
                name: 'source',
                in: 'path',
                required: true,
                description: "The source's name.",
                schema: source,
              },
            ],
            requestBody: {
              required: true,
              description: 'A JSON object in each line.',
              content: { 'application/x-ndjson': { schema: { type: 'string' } } },
            },
            responses: answered({ type: 'object' }),
          },
        },
        '/api/logs': {
          post: {
            ...{ operationId: ids.unused('postEvents'), tags, summary: 'Adds events to a source' },
            parameters: [
              {
                ...{ name: 'source', in: 'query', required: true, schema: source },
                description: "The source's name, or an alias.",
              },
              {
                ...{ name: 'partial', in: 'query', required: false, schema: { type: 'boolean' } },
                description: 'Whether the other events are stored if some are rejected.',
              },
              {
                ...{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } },
                description:
                  'The same body with the same key adds its events once. Another key makes it another request.',
              },
            ],
            requestBody: {
              required: true,
              description: 'An event, an array of events, `{"batch": [...]}`, or an event in each line.',
              content: {
                'application/json': { schema: { type: ['object', 'array'], items: { type: 'object' } } },
                'application/x-ndjson': { schema: { type: 'string' } },
              },
            },
            responses: answered({ type: 'object', properties: { message: { type: 'string' } } }),
          },
        },
      }),
  };
}
