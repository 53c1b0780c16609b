import { failures, routeFailures } from './error-responses.ts';
import type { JsonSchema } from './value-schema.ts';

/** The responses of a route that answers with JSON. */
export function answered(schema: JsonSchema, status = 200): Readonly<Record<string, object>> {
  return {
    [status]: { description: 'The answer.', content: { 'application/json': { schema } } },
    ...failures(routeFailures),
  };
}
