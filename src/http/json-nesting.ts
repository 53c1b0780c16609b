import { GatewayError } from '../errors.ts';
import { shapeOfJson } from '../text/json-shape.ts';

/** How many arrays and objects inside each other JSON may have; going through deeper ones exhausts the stack. */
const maxNesting = 100;

/**
 * Looked at before the text is parsed, whether it is JSON or not: millions of levels take seconds to be parsed.
 *
 * @throws GatewayError BAD_USER_INPUT when it is nested too deeply
 */
export function checkNesting(json: string): void {
  if (shapeOfJson(json).depth <= maxNesting) return;
  throw new GatewayError('BAD_USER_INPUT', `The JSON is nested more than ${maxNesting} levels deep.`);
}
