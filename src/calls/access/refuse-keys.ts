import { GatewayError } from '../../base/errors/errors.ts';
import { type GivenParameters, textsIn } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { holdsKeyText } from './key/key-text.ts';

/**
 * Refuses parameters that contain a key by mistake: values are stored with results, also in Redis, and BigQuery stores them
 * with its jobs.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function refuseKeys(given: GivenParameters): void {
  for (const [parameter, value] of given) {
    if (!holdsKeyText(parameter) && !textsIn(value).some(holdsKeyText)) continue;
    const message = `Parameter ${JSON.stringify(parameter)} contains an API key. Send keys in headers only.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter });
  }
}
