import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { requireUnrestricted } from '../../calls/access/authorise.ts';
import { accountOf } from '../../calls/access/caller/account.ts';
import type { DeleteRows, Deletion } from '../../rows/deletion/row-deleter.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';
import { ClientGone, startDeadline } from '../http/request/deadline.ts';
import { percentDecode } from '../http/request/percent-decoding.ts';
import { booleanParameter, singleParameter } from '../http/request/query-parameters.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { jsonAnswer, sendAnswer } from '../http/response/answer.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import type { Admission } from '../limits/admission.ts';

interface DeletionHandlerOptions {
  readonly admission: Admission;
  readonly deleteRows: DeleteRows;
  readonly log: Log;
}

const route = /^\/api\/sources\/([^/]+)\/rows$/;

/**
 * `DELETE /api/sources/<source>/rows?before=<time>&where=<condition>[&dry_run=true]`: deletes rows of a source, and answers
 * `{"rows": <count>}`. It needs an unrestricted key with the scope `admin`.
 */
export function deletionHandler(options: DeletionHandlerOptions): RouteHandler {
  return routeHandler(['/api/sources/{source}/rows'], (context) => {
    if (context.request.method !== 'DELETE') return undefined;
    const segment = route.exec(context.path)?.[1];
    return segment === undefined ? undefined : answer(context, segment, options);
  });
}

async function answer(
  context: RequestContext,
  segment: string,
  { admission, deleteRows, log }: DeletionHandlerOptions,
): Promise<void> {
  using deadline = startDeadline(context.response);
  try {
    const caller = await admission.admit(context, 'admin');
    requireUnrestricted(caller);
    const deletion = deletionOf(segment, context.query);
    const rows = await deleteRows(deletion, deadline.signal, accountOf(caller));
    context.logFields.rows = rows;
    sendAnswer(context, jsonAnswer(200, JSON.stringify({ rows })));
  } catch (thrown) {
    if (thrown instanceof ClientGone || deadline.signal.aborted) return;
    sendAnswer(context, errorAnswer(disclose(thrown, context, log)));
  }
}

function deletionOf(segment: string, text: string): Deletion {
  const source = percentDecode(segment);
  if (source === undefined)
    throw new GatewayError('BAD_USER_INPUT', 'The percent-encoding of the path is not valid UTF-8.');
  const query = new URLSearchParams(text);
  const time = singleParameter(query, 'before');
  const before = time === undefined ? undefined : parseTimestamp(time);
  if (time !== undefined && before === undefined) {
    const expected = 'expected a time, such as 2026-11-20 or 2026-11-20T08:30:00Z';
    throw new GatewayError('BAD_USER_INPUT', `Parameter "before": ${expected}.`);
  }
  const isDryRun = booleanParameter(query, 'dry_run');
  return { source, before, where: singleParameter(query, 'where'), isDryRun };
}
