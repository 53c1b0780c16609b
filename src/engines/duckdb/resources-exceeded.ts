import { GatewayError } from '../../errors.ts';

/** A query wanted more memory or time than there was at that moment, by its own doing or by that of others. */
export class ResourcesExceeded extends GatewayError {
  constructor(message: string, cause?: unknown) {
    super('QUERY_FAILED', message, { cause });
  }
}
