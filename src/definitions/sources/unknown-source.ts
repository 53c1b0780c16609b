import { GatewayError } from '../../base/errors/errors.ts';

/** The error for callers who name a source that does not exist. */
export function unknownSource(name: string): GatewayError {
  return new GatewayError('NOT_FOUND', `There is no source named ${JSON.stringify(name)}.`);
}
