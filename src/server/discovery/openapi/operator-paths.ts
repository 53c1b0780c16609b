import { scopes } from '../../../calls/access/caller/caller.ts';
import { queryClasses } from '../../../definitions/classes/query-class.ts';
import type { OperationIds } from './endpoint-paths.ts';
import { answered } from './error-responses.ts';
import type { JsonSchema } from './json-schema.ts';
import { listOf, orNull, record, strings } from './json-schema.ts';

const texts: JsonSchema = { type: 'array', items: { type: 'string' }, minItems: 1 };
const scopeList: JsonSchema = { type: 'array', items: { type: 'string', enum: [...scopes] }, minItems: 1 };
const counts: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' } };

const restrictions = {
  endpoints: texts,
  projects: texts,
  sources: texts,
  redact: { type: 'boolean' },
  rate: { type: 'string' },
  allow: texts,
  whenSpent: { type: 'string', enum: ['slow'] },
};

const queryClass = { type: 'string', enum: [...queryClasses] } satisfies JsonSchema;

const key = {
  type: 'object',
  properties: {
    ...strings('id', 'name'),
    state: { type: 'string', enum: ['active', 'expired', 'revoked'] },
    scopes: scopeList,
    ...restrictions,
    pins: { type: 'array', items: record(strings('parameter', 'value')) },
    bytesPerDay: { type: 'integer' },
    maxScanBytes: { type: 'integer' },
    class: queryClass,
    ...strings('created', 'expires', 'revoked', 'rotated', 'lastUsed'),
    former: { type: 'array', items: record(strings('expires'), strings('lastUsed')) },
  },
  required: ['id', 'name', 'state', 'scopes', 'created'],
} satisfies JsonSchema;

const createdKey: JsonSchema = {
  ...key,
  properties: { ...key.properties, key: { type: 'string', description: 'The key, only in this answer.' } },
  required: [...key.required, 'key'],
};

const wantedKey: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    scopes: scopeList,
    ...restrictions,
    pins: { type: 'object', additionalProperties: { type: 'string' } },
    expires: { type: 'string', description: 'Such as `90d`, a date or an instant.' },
    bytesPerDay: { type: ['string', 'integer'] },
    maxScanBytes: { type: ['string', 'integer'] },
    class: queryClass,
  },
  required: ['name'],
  additionalProperties: false,
};

const rotation: JsonSchema = {
  type: 'object',
  properties: {
    overlap: { type: 'string', description: 'How long the key before stays valid, such as `24h`, or `0`.' },
    expires: { type: 'string', description: 'Such as `90d`, a date or an instant.' },
  },
  additionalProperties: false,
};

const keyInPath = {
  ...{ name: 'key', in: 'path', required: true, schema: { type: 'string' } },
  description: 'The id or name of a key.',
};

const objects = listOf({ type: 'object' });

const operations = record({
  ...strings('startedAt', 'version', 'engine'),
  cache: record({ calls: counts, entries: { type: 'integer' }, bytes: { type: 'integer' } }),
  queries: { type: 'object' },
  requests: objects,
  endpoints: objects,
  engineProcess: orNull({ type: 'object' }),
  disk: orNull({ type: 'object' }),
  live: counts,
  sources: objects,
  expiringKeys: objects,
});

/** The paths for operators: unrestricted keys with the scope `admin`. */
export function operatorPaths(ids: OperationIds): Readonly<Record<string, object>> {
  const tags = ['Gateway'];
  return {
    '/api/endpoints/cache': {
      delete: {
        ...{
          operationId: ids.unused('purgeAll'),
          tags,
          summary: 'Purges the cached results of all endpoints',
        },
        responses: answered(record({ dropped: { type: 'integer' } })),
      },
    },
    '/api/operations': {
      get: {
        ...{ operationId: ids.unused('getOperations'), tags, summary: 'How this gateway is doing' },
        responses: answered(operations),
      },
    },
    '/api/keys': {
      get: {
        ...{ operationId: ids.unused('listKeys'), tags, summary: 'The keys, without their texts' },
        responses: answered(
          record({
            keys: { type: 'array', items: key },
            fixed: { type: 'array', items: record({ ...strings('name'), scopes: scopeList }) },
          }),
        ),
      },
      post: {
        ...{ operationId: ids.unused('createKey'), tags, summary: 'Creates a key' },
        requestBody: { required: true, content: { 'application/json': { schema: wantedKey } } },
        responses: answered(createdKey, 201),
      },
    },
    '/api/keys/{key}': {
      delete: {
        ...{ operationId: ids.unused('revokeKey'), tags, summary: 'Revokes a key' },
        parameters: [keyInPath],
        responses: answered(key),
      },
    },
    '/api/keys/{key}/rotate': {
      post: {
        ...{ operationId: ids.unused('rotateKey'), tags, summary: 'Replaces a key by a new one' },
        parameters: [keyInPath],
        requestBody: { required: false, content: { 'application/json': { schema: rotation } } },
        responses: answered(createdKey),
      },
    },
  };
}
