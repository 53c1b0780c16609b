import { GatewayError } from '../../base/errors/errors.ts';
import { accountOf } from '../../calls/access/caller/account.ts';
import type { DeleteRows, Deletion } from '../../rows/deletion/row-deleter.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';
import { booleanParameter, singleParameter } from '../http/request/query-parameters.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';

/**
 * `DELETE /api/sources/<source>/rows?before=<time>&where=<condition>[&dry_run=true]`: deletes rows of a source, and answers
 * `{"rows": <count>}`.
 */
export function deletionHandler(deleteRows: DeleteRows): KeyedHandler {
  return async ({ context, caller, segment, deadline }) => {
    const rows = await deleteRows(deletionOf(segment, context.query), deadline.signal, accountOf(caller));
    context.logFields.rows = rows;
    return jsonAnswer(200, JSON.stringify({ rows }));
  };
}

function deletionOf(source: string, text: string): Deletion {
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
