import { GatewayError } from '../../../base/errors/errors.ts';

/** Thrown when a query needed more memory or time than was available, because of itself or of others. */
export class ResourcesExceeded extends GatewayError {
  constructor(message: string, cause?: unknown) {
    super('QUERY_FAILED', message, { cause });
  }
}
