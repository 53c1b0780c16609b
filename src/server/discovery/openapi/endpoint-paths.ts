import { identifier } from '../../../sql/text/identifier.ts';
import type { EndpointShape } from '../../graphql/shape/shape.ts';
import { callFailures, failures } from './error-responses.ts';
import { formParameters, formProperties, rowContent } from './form-parameters.ts';
import type { OperationIds } from './operation-ids.ts';
import { parameterExample, parameterSchema, parameterText } from './parameter-schema.ts';
import { type JsonSchema, rowSchema } from './value-schema.ts';

/** The headers of a result. */
const resultHeaders = {
  'X-Request-Id': header("The request's id, which the gateway's log contains."),
  'X-Result-Truncated': header('`true` if the query has more rows than the response.'),
  'X-Ignored-Parameters': header("Parameters of the request that the endpoint doesn't have."),
  ETag: header('The tag of the response, for `If-None-Match`.'),
  Age: header('Seconds since the rows were made.', 'integer'),
  'Server-Timing': header('Milliseconds of the engine (`engine`), if it ran.'),
  'X-Bytes-Processed': header('Bytes that the query read, if the engine tells.', 'integer'),
  'X-Bytes-Billed': header('Bytes that BigQuery billed.', 'integer'),
  'Cache-Control': header('How many seconds the rows stay fresh.'),
};

/** The paths of an endpoint, and the schemas that they refer to. */
export interface DescribedPaths {
  readonly paths: Readonly<Record<string, object>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** The operations of an endpoint: GET, and POST for long parameters and for ad-hoc queries. */
export function endpointPaths(shape: EndpointShape, ids: OperationIds): DescribedPaths {
  const { endpoint, field, row, tables } = shape;
  const rows = { type: 'array', items: { $ref: `#/components/schemas/${row.name}` } };
  const described = {
    tags: ['Endpoints'],
    summary: endpoint.name,
    ...(endpoint.description !== '' && { description: endpoint.description }),
  };
  const get = {
    operationId: field,
    ...described,
    parameters: [
      ...shape.arguments.map(({ parameter }) => ({
        name: parameter.name,
        in: 'query',
        required: parameter.required,
        description: parameterText(parameter),
        schema: parameterSchema(parameter),
        ...(isInExample(shape, parameter.name) && { example: parameterExample(parameter) }),
      })),
      ...formParameters,
    ],
    responses: { 200: resultResponse(rows), ...failures(callFailures) },
  };
  const anyRows = { type: 'array', items: { type: 'object' } };
  const post =
    tables === undefined
      ? { operationId: ids.unused(`${field}Post`), ...described }
      : {
          operationId: tables.queryField,
          ...described,
          description: `Runs the endpoint, or an ad-hoc query over its tables: ${tables.tables.map(({ table }) => `\`${table.name}\``).join(', ')}.`,
        };
  return {
    paths: {
      [pathOf(endpoint)]: {
        get,
        post: {
          ...post,
          requestBody: {
            required: shape.arguments.some(({ parameter }) => parameter.required),
            content: { 'application/json': { schema: bodySchema(shape), example: bodyExample(shape) } },
          },
          responses: {
            200: resultResponse(tables === undefined ? rows : anyRows),
            ...failures(callFailures),
          },
        },
      },
    },
    schemas: {
      [row.name]: rowSchema(
        endpoint.plan.columns,
        'any form',
        ({ name }) => endpoint.columns.get(name)?.description,
      ),
    },
  };
}

/** Clients resolve `.` and `..` in a path, even percent-encoded: such endpoints are called by id. */
function pathOf({ id, name }: EndpointShape['endpoint']): string {
  return `/api/endpoints/query/${/^\.{1,2}$/.test(name) ? id : encodeURIComponent(name)}`;
}

function resultResponse(rows: JsonSchema) {
  return {
    description: 'The rows.',
    headers: resultHeaders,
    content: rowContent(rows),
  };
}

/** Whether the example of a call gives the parameter. */
function isInExample({ arguments: args }: EndpointShape, name: string): boolean {
  return args.some(
    ({ parameter }) => parameter.name === name && (parameter.required || parameter.example !== undefined),
  );
}

function bodySchema({ arguments: args, tables }: EndpointShape): JsonSchema {
  const required = args.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name);
  const own = args.map(({ parameter }) => [
    parameter.name,
    { ...parameterSchema(parameter), description: parameterText(parameter) },
  ]);
  const adHoc = [
    ['sql', { type: 'string', description: "An ad-hoc query in GoogleSQL, over the endpoint's tables." }],
    ['lql', { type: 'string', description: "An ad-hoc query in LQL, over the endpoint's tables." }],
  ];
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries([...own, ...(tables === undefined ? [] : adHoc)]),
      ...formProperties,
    },
    ...(required.length > 0 && { required }),
  };
}

function bodyExample(shape: EndpointShape): object {
  const { arguments: args, tables } = shape;
  const [first] = tables?.tables ?? [];
  const sql = first && `SELECT COUNT(*) AS row_count FROM ${identifier(first.table.name)}`;
  return Object.fromEntries([
    ...args
      .filter(({ parameter }) => isInExample(shape, parameter.name))
      .map(({ parameter }) => [parameter.name, parameterExample(parameter)]),
    ...(sql === undefined ? [] : [['sql', sql]]),
  ]);
}

function header(description: string, type = 'string') {
  return { description, schema: { type } };
}
