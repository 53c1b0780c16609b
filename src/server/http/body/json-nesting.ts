import { GatewayError } from '../../../base/errors/errors.ts';
import { shapeOfJson } from '../../../base/text/json-tokens.ts';

/** Maximum depth of nested arrays and objects. Traversing deeper ones exhausts the stack. */
const maxNesting = 100;

/**
 * Checks the nesting of a text before it is parsed: parsing millions of levels takes seconds.
 *
 * @throws GatewayError BAD_USER_INPUT if it is nested too deeply
 */
export function checkNesting(json: string): void {
  if (shapeOfJson(json).depth <= maxNesting) return;
  throw new GatewayError('BAD_USER_INPUT', `The JSON is nested more than ${maxNesting} levels deep.`);
}
