import type { OperationIds } from './endpoint-paths.ts';
import { answered } from './error-responses.ts';
import type { JsonSchema } from './json-schema.ts';
import { listOf, record, strings } from './json-schema.ts';

const integer: JsonSchema = { type: 'integer' };
const edited = strings('name', 'text');
const object: JsonSchema = { type: 'object' };
const values: JsonSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
};
const span = { from: integer, to: integer };
const problem = record({ ...span, ...strings('message'), line: integer, column: integer });
const option = record(strings('kind', 'label'), strings('detail', 'description', 'insert'));
const literal = record(
  { ...span, ...strings('type', 'value', 'name'), isLikely: { type: 'boolean' } },
  strings('compared'),
);
const change = record({ ...strings('text'), isOfAnswers: { type: 'boolean' } });

const endpointInPath = {
  ...{ name: 'endpoint', in: 'path', required: true, schema: { type: 'string' } },
  description: 'The name or id of an endpoint.',
};

/** The paths for writing endpoints in a browser, and for measuring them. They are for operators. */
export function editingPaths(ids: OperationIds): Readonly<Record<string, object>> {
  const tags = ['Gateway'];
  const posted = (
    id: string,
    summary: string,
    body: JsonSchema,
    answer: JsonSchema,
    { parameters = [], status = 200 }: { parameters?: readonly object[]; status?: number } = {},
  ) => ({
    post: {
      ...{ operationId: ids.unused(id), tags, summary },
      ...(parameters.length > 0 && { parameters }),
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: answered(answer, status),
    },
  });
  const placed = record({ ...edited, position: integer });
  const step = (name: string) => `/api/drafts/${name}`;
  return {
    '/api/endpoint-files/{endpoint}': {
      get: {
        ...{
          operationId: ids.unused('getEndpointFile'),
          tags,
          summary: 'The file of an endpoint, and its tests',
        },
        parameters: [endpointInPath],
        responses: answered(record(strings('file', 'text'), { test: record(strings('file', 'text')) })),
      },
    },
    '/api/endpoint-profiles/{endpoint}': posted(
      'profileEndpoint',
      'Runs an endpoint, and says where its time went',
      record({}, { parameters: values }),
      record({ milliseconds: { type: 'number' }, steps: listOf(object) }),
      { parameters: [endpointInPath] },
    ),
    [step('check')]: posted(
      'checkEndpointFile',
      'What is wrong with the text of an endpoint’s file',
      record(edited),
      record(
        { ...strings('file'), problems: listOf(problem) },
        { endpoint: object, reads: listOf({ type: 'string' }) },
      ),
    ),
    [step('complete')]: posted(
      'completeEndpointFile',
      'What can be written at a place of it',
      placed,
      record({ from: integer, options: listOf(option) }),
    ),
    [step('hover')]: posted('describeInEndpointFile', 'What is at a place of it', placed, {
      ...record({ ...span, ...strings('text') }),
      type: ['object', 'null'],
    }),
    [step('literals')]: posted(
      'findLiterals',
      'The values in a query that parameters could have instead',
      record(strings('sql')),
      record({ ...strings('sql'), literals: listOf(literal) }),
    ),
    [step('diff')]: posted(
      'compareEndpointFile',
      'What a text changes, compared with the served endpoint',
      record(edited),
      record({ ...strings('state', 'verdict'), changes: listOf(change) }),
    ),
    [step('try')]: posted(
      'tryEndpointFile',
      'Runs a text without serving it',
      record(edited, { parameters: values, ...strings('timestamps', 'json') }),
      record({ result: listOf(object) }),
    ),
    [step('push')]: posted(
      'pushEndpointFile',
      'Pushes a text without errors to a new branch of the repository that has the served one',
      record(edited, { ...strings('before', 'message'), test: record(strings('text'), strings('before')) }),
      record({ ...strings('branch', 'commit'), files: listOf({ type: 'string' }) }),
      { status: 201 },
    ),
  };
}
