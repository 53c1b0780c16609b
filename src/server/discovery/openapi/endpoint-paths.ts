import { formats } from '../../../rows/formats/formats.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { type EndpointShape, versionPath } from '../../graphql/shape/shape.ts';
import { formChoices, formKeys } from '../../rest/answers/answer-form.ts';
import { pageKeys } from '../../rest/pages/page-request.ts';
import { callFailures, failures } from './error-responses.ts';
import { type JsonSchema, rowSchema } from './json-schema.ts';
import { parameterExample, parameterSchema, parameterText } from './parameter-schema.ts';

const descriptions: Readonly<Record<(typeof formKeys)[number], string>> = {
  format: 'The format of the rows. Without it, the header `Accept` chooses.',
  timestamps:
    'TIMESTAMPs in `json` and `ndjson`: microseconds since 1970-01-01 00:00:00 UTC, or RFC 3339 texts in UTC. The other formats have one form each.',
  json: 'JSON columns in `json` and `ndjson`: texts that contain JSON, or the JSON itself. The other formats have texts.',
};

/** The keys of a request that choose the form of the rows, as properties of its body. */
const formProperties: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  formKeys.map((name) => [name, { ...formSchema(name), description: descriptions[name] }]),
);

/** The keys of an endpoint's pages; none if its result can't be read in pages. */
function pageProperties({ endpoint }: EndpointShape): readonly (readonly [string, JsonSchema])[] {
  const { paging } = endpoint.plan;
  if (paging === undefined || 'refused' in paging) return [];
  const { limit, after } = pageKeys(endpoint);
  return [
    [limit, { type: 'integer', minimum: 1, maximum: endpoint.maxRows, description: 'The rows of a page.' }],
    [
      after,
      { type: 'string', description: 'The cursor after which the page begins, from the header `Link`.' },
    ],
  ];
}

/** The same keys as parameters of a query string. */
const formParameters: readonly object[] = formKeys.map((name) => ({
  name,
  in: 'query',
  required: false,
  description: descriptions[name],
  schema: formSchema(name),
}));

/** `format` has no default: without it, `Accept` counts. */
function formSchema(name: (typeof formKeys)[number]): JsonSchema {
  const choices: readonly string[] = formChoices[name];
  return { type: 'string', enum: choices };
}

/**
 * The bodies with rows, by media type.
 *
 * @param rows the schema of all rows in JSON
 */
function rowContent(rows: JsonSchema): Readonly<Record<string, object>> {
  const schemas: Readonly<Record<keyof typeof formats, JsonSchema>> = {
    json: { type: 'object', properties: { result: rows }, required: ['result'] },
    ndjson: { type: 'string', description: 'A JSON object in each line.' },
    csv: { type: 'string', description: 'RFC 4180 with a header.' },
    parquet: { type: 'string', format: 'binary', description: 'Apache Parquet.' },
    arrow: { type: 'string', format: 'binary', description: 'An Arrow IPC stream.' },
  };
  return Object.fromEntries(
    Object.values(formats).map(({ name, mediaTypes: [type = ''] }) => [type, { schema: schemas[name] }]),
  );
}

/** The headers of a result. */
const resultHeaders = {
  'X-Request-Id': header("The request's id, which the gateway's log contains."),
  'X-Result-Truncated': header('`true` if the query has more rows than the response.'),
  Link: header(
    'The URL of the next page (`rel="next"`), if the request asks for a page and there is another.',
  ),
  'X-Ignored-Parameters': header("Parameters of the request that the endpoint doesn't have."),
  ETag: header('The tag of the response, for `If-None-Match`.'),
  Age: header('Seconds since the rows were made.', 'integer'),
  'Server-Timing': header('Milliseconds of the engine (`engine`), if it ran.'),
  'X-Bytes-Processed': header('Bytes that the query read, if the engine tells.', 'integer'),
  'X-Bytes-Billed': header('Bytes that BigQuery billed.', 'integer'),
  'Cache-Control': header('How many seconds the rows stay fresh.'),
  Deprecation: header('`@` and the Unix time since when clients should not call it, if they should not.'),
  Sunset: header('When it ends, if that is known.'),
};

/** The paths of an endpoint, and the schemas that they refer to. */
export interface DescribedPaths {
  readonly paths: Readonly<Record<string, object>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** The operations of an endpoint: GET, and POST for long parameters and for ad-hoc queries. */
export function endpointPaths(shape: EndpointShape, ids: OperationIds): DescribedPaths {
  const { endpoint, field, row, tables, deprecationReason, isOlder } = shape;
  const rows = { type: 'array', items: { $ref: `#/components/schemas/${row.name}` } };
  const described = [endpoint.description, deprecationReason ?? ''].filter(Boolean).join(' ');
  const common = {
    tags: ['Endpoints'],
    summary: isOlder ? `${endpoint.name}, version ${endpoint.number}` : endpoint.name,
    ...(described !== '' && { description: described }),
    ...(deprecationReason !== undefined && { deprecated: true }),
  };
  const get = {
    operationId: field,
    ...common,
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
      ...pageProperties(shape).map(([name, { description, ...schema }]) => ({
        ...{ name, in: 'query', required: false, description, schema },
      })),
    ],
    responses: { 200: resultResponse(rows), ...failures(callFailures) },
  };
  const anyRows = { type: 'array', items: { type: 'object' } };
  const post =
    tables === undefined
      ? { operationId: ids.unused(`${field}Post`), ...common }
      : {
          operationId: tables.queryField,
          ...common,
          description: `Runs the endpoint, or an ad-hoc query over its tables: ${tables.tables.map(({ table }) => `\`${table.name}\``).join(', ')}.`,
        };
  return {
    paths: {
      [pathOf(endpoint) + versionPath(shape)]: {
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

function bodySchema(shape: EndpointShape): JsonSchema {
  const { arguments: args, tables } = shape;
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
      ...Object.fromEntries(pageProperties(shape)),
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

/** The ids of operations: an endpoint's is its field in GraphQL, and all others differ from those. */
export class OperationIds {
  readonly #used: Set<string>;

  constructor(endpoints: readonly EndpointShape[]) {
    this.#used = new Set(
      endpoints.flatMap(({ field, tables }) => (tables === undefined ? [field] : [field, tables.queryField])),
    );
  }

  /** Returns the name, or the name with a number that makes it unique. */
  unused(name: string): string {
    let id = name;
    for (let number = 2; this.#used.has(id); number++) id = `${name}${number}`;
    this.#used.add(id);
    return id;
  }
}
