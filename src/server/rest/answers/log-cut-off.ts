import { GatewayError } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/log/log.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { RequestContext } from '../../http/request/request-context.ts';

/**
 * Logs why an export ended before the end of its body: its client can't be told. The reason quotes no row values. A defect is
 * in the log already.
 */
export function logCutOff(thrown: unknown, { requestId, logFields }: RequestContext, log: Log): void {
  if (!(thrown instanceof GatewayError)) return;
  const { code, message, details } = thrown;
  log.warn('an export failed after its first rows', {
    endpoint: logFields.endpoint ?? '',
    requestId,
    code,
    reason: withoutKeys(details.withoutValues ?? details.kind ?? message),
  });
}
