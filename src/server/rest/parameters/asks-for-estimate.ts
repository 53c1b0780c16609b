import { GatewayError } from '../../../base/errors/errors.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';

/** The request key that asks for an estimate instead of a run. */
export const dryRunKey = 'dry_run';

/** @throws GatewayError BAD_USER_INPUT for anything but `true` and `false` */
export function asksForEstimate(given: GivenParameters): boolean {
  const [text = 'false'] = textsIn(given.get(dryRunKey) ?? null);
  if (text === 'true' || text === 'false') return text === 'true';
  const message = `Parameter "${dryRunKey}": expected true or false, got ${JSON.stringify(text.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: dryRunKey });
}
