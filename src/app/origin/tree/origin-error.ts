import { CommandError } from '../../../base/errors/command-error.ts';
import type { OriginFailure } from '../../../definitions/origin/origin-state.ts';

/** Why endpoints could not be fetched, in words for the operator that contain no secret. */
export class OriginError extends CommandError {
  override readonly name = 'OriginError';
  readonly failure: OriginFailure;

  constructor(failure: OriginFailure, message: string, cause?: unknown) {
    super(message, cause);
    this.failure = failure;
  }
}
