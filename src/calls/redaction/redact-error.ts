import { GatewayError } from '../../base/errors/errors.ts';
import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import { textRedactor } from './redact-text.ts';

/**
 * Redacts the message of an error that occurred while rows were computed. Such errors quote values, as in `Bad int64
 * value: 10.0.0.1`.
 */
export function redactedError(thrown: unknown, classes: readonly PiiClass[]): unknown {
  if (!(thrown instanceof GatewayError) || classes.length === 0) return thrown;
  const message = textRedactor(classes)(thrown.message);
  return message === thrown.message ? thrown : new GatewayError(thrown.code, message, thrown.details);
}
