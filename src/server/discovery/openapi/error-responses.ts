import { type ErrorCode, errorCatalogue } from '../../../base/errors/errors.ts';
import type { JsonSchema } from './json-schema.ts';

/** The body of every failed request. */
export const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'What is wrong, for people.' },
    code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'What is wrong, for programs.' },
    parameter: { type: 'string', description: 'The parameter that is wrong.' },
    location: {
      type: 'object',
      description: 'The place of the error in the text of `sql` or `lql`, from 1. Columns count code points.',
      properties: { line: { type: 'integer' }, column: { type: 'integer' } },
      required: ['line', 'column'],
    },
  },
  required: ['error', 'code'],
};

const codesByStatus = Map.groupBy(
  Object.keys(errorCatalogue) as ErrorCode[],
  (code) => errorCatalogue[code].status,
);

function nameOf(status: number): string {
  return `Error${status}`;
}

/** The responses of failed requests, for `components.responses`. */
export function errorResponses(statuses: readonly number[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    statuses.map((status) => [
      nameOf(status),
      {
        description: (codesByStatus.get(status) ?? [])
          .map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`)
          .join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } } },
      },
    ]),
  );
}

/** References to the responses of an operation's failures. */
export function failures(statuses: readonly number[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

/** The statuses of failed calls of endpoints. They change nothing, so that nothing conflicts with them. */
export const callFailures: readonly number[] = [...codesByStatus.keys()].filter(
  (status) => status !== errorCatalogue.CONFLICT.status,
);

/** The statuses of failures of the other routes. */
export const routeFailures: readonly number[] = [400, 401, 403, 404, 405, 429, 500, 503];

/** The responses of a route that answers with JSON. */
export function answered(schema: JsonSchema, status = 200): Readonly<Record<string, object>> {
  return {
    [status]: { description: 'The answer.', content: { 'application/json': { schema } } },
    ...failures(routeFailures),
  };
}
