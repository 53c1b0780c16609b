import type { Caller } from '../../access/caller.ts';
import { failures, routeFailures } from './error-responses.ts';
import type { OperationIds } from './operation-ids.ts';
import type { JsonSchema } from './value-schema.ts';

const endpointInPath = {
  name: 'endpoint',
  in: 'path',
  required: true,
  description: 'The name or id of an endpoint.',
  schema: { type: 'string' },
};

const texts = { type: ['string', 'array', 'null'], items: { type: 'string' } };

const columns = listOf({ name: 'string', type: 'string', description: 'string' });

const endpointSchema = record({
  ...strings('id', 'name', 'description', 'graphqlField'),
  maxRows: { type: 'integer' },
  exportRows: { type: 'integer' },
  cacheSeconds: { type: 'integer' },
  sandbox: { type: 'boolean' },
  parameters: {
    type: 'array',
    items: record({
      ...strings('name', 'type', 'description'),
      required: { type: 'boolean' },
      default: texts,
      values: { type: ['array', 'null'], items: { type: 'string' } },
      example: texts,
    }),
  },
  columns,
  tables: { type: 'array', items: record({ ...strings('name'), columns }) },
});

/** The paths about endpoints and sources that the caller's scopes permit. */
export function gatewayPaths(
  { scopes, ...bounds }: Caller,
  ids: OperationIds,
): Readonly<Record<string, object>> {
  const tags = ['Gateway'];
  const answered = (schema: JsonSchema) => ({
    200: { description: 'The answer.', content: { 'application/json': { schema } } },
    ...failures(routeFailures),
  });
  return {
    '/api/endpoints': {
      get: {
        ...{ operationId: ids.unused('listEndpoints'), tags, summary: 'The endpoints that the key may call' },
        responses: answered(record({ endpoints: { type: 'array', items: endpointSchema } })),
      },
    },
    '/api/endpoints/{endpoint}': {
      get: {
        ...{ operationId: ids.unused('getEndpoint'), tags, summary: 'An endpoint that the key may call' },
        parameters: [endpointInPath],
        responses: answered(endpointSchema),
      },
    },
    '/api/openapi.json': {
      get: {
        ...{ operationId: ids.unused('getOpenApi'), tags, summary: 'This document' },
        responses: answered({ type: 'object' }),
      },
    },
    ...(scopes.has('admin') && {
      '/api/endpoints/cache/{endpoint}': {
        delete: {
          ...{ operationId: ids.unused('purgeCache'), tags, summary: 'Purges cached results of an endpoint' },
          parameters: [endpointInPath],
          responses: answered(record({ dropped: { type: 'integer' } })),
        },
      },
    }),
    ...(scopes.has('write') &&
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
                schema: { type: 'string' },
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
                ...{ name: 'source', in: 'query', required: true, schema: { type: 'string' } },
                description: "The source's name, or an alias.",
              },
              {
                ...{ name: 'partial', in: 'query', required: false, schema: { type: 'boolean' } },
                description: 'Whether the other events are stored if some are rejected.',
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

function strings(...names: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function listOf(fields: Readonly<Record<string, string>>): JsonSchema {
  return {
    type: 'array',
    items: record(Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]))),
  };
}
