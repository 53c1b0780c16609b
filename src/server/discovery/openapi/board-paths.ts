import type { OperationIds } from './endpoint-paths.ts';
import { answered } from './error-responses.ts';
import { listOf, record, strings } from './json-schema.ts';

const text = { type: 'string' };
const texts = listOf(text);
const integer = { type: 'integer' };

const summary = record({ ...strings('name', 'title', 'description'), panels: integer, callable: integer });

const broken = record({ ...strings('name'), errors: texts });

const place = record({ column: integer, row: integer, width: integer, height: integer });

const panel = record(
  { callable: { type: 'boolean' }, ...strings('title') },
  {
    ...strings('endpoint', 'sql', 'lql'),
    parameters: { type: 'object', additionalProperties: { type: ['string', 'array'], items: text } },
    chart: record(strings('type'), { ...strings('x', 'series'), y: texts }),
    place,
  },
);

const board = record(
  {
    ...strings('name', 'title', 'range'),
    variables: { type: 'object', additionalProperties: { type: 'object' } },
    panels: listOf(panel),
  },
  { ...strings('description', 'refresh', 'text'), errors: texts },
);

/** The paths of boards. */
export function boardPaths(ids: OperationIds): Readonly<Record<string, object>> {
  const tags = ['Gateway'];
  return {
    '/api/boards': {
      get: {
        ...{
          operationId: ids.unused('listBoards'),
          tags,
          summary: 'The boards with panels that the key may call',
        },
        responses: answered(record({ boards: listOf(summary) }, { unavailable: listOf(broken) })),
      },
    },
    '/api/boards/{board}': {
      get: {
        ...{ operationId: ids.unused('getBoard'), tags, summary: 'A board, as far as the key may call it' },
        parameters: [
          { name: 'board', in: 'path', required: true, description: 'The name of a board.', schema: text },
        ],
        responses: answered(board),
      },
    },
  };
}
