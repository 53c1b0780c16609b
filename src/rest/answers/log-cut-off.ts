import { withoutKeys } from '../../access/key/key-text.ts';
import { GatewayError } from '../../errors.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { Log } from '../../log.ts';

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
