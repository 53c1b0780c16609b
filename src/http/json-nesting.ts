import { GatewayError } from '../errors.ts';
import { endOfString } from './json-strings.ts';

/** How many arrays and objects inside each other JSON may have; going through deeper ones exhausts the stack. */
const maxNesting = 100;

/**
 * Looked at before the text is parsed, whether it is JSON or not: millions of levels take seconds to be parsed.
 *
 * @throws GatewayError BAD_USER_INPUT when it is nested too deeply
 */
export function checkNesting(json: string): void {
  let depth = 0;
  for (let place = 0; place < json.length; place++) {
    switch (json[place]) {
      case '"':
        place = endOfString(json, place) - 1;
        break;
      case '[':
      case '{':
        if (++depth > maxNesting) {
          const message = `The JSON is nested more than ${maxNesting} levels deep.`;
          throw new GatewayError('BAD_USER_INPUT', message);
        }
        break;
      case ']':
      case '}':
        depth--;
        break;
    }
  }
}
