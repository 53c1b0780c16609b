import { ownMemory } from '../../../base/system/own-memory.ts';
import { type CallLogFields, noteCall } from '../../../calls/call-log.ts';
import { worthCompressing } from '../../http/request/accepts-gzip.ts';
import type { CachedResponse } from '../../http/response-cache/response-cache.ts';
import type { AnsweredCall } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import { callReport } from './call-report.ts';
import { sendCachedAnswer } from './graphql-answer.ts';
import { gzipEnd, gzipStart } from './gzip-around.ts';

/** Approximate bytes of a response besides its data, and of each of its calls. */
const answerBytes = 250;
const callBytes = 400;

/**
 * The response to a successful operation, as bytes except for the request's id and the age of rows. Undefined unless
 * all rows come from cached entries.
 *
 * @param data the response's `data`, as JSON
 */
export function cachedAnswer(
  data: string,
  calls: readonly AnsweredCall[],
  type: ResponseType,
  acceptsGzip: boolean,
): CachedResponse | undefined {
  const cached = calls.flatMap(({ endpoint, cachedEntry }) =>
    cachedEntry === undefined ? [] : [{ endpoint, cachedEntry: new WeakRef(cachedEntry) }],
  );
  if (calls.length === 0 || cached.length < calls.length) return undefined;
  const reported = calls.map(({ path, endpoint, rows, truncated }) => ({ path, endpoint, rows, truncated }));
  const logFields: CallLogFields = {};
  for (const { endpoint, rows } of calls) noteCall(logFields, { endpoint, rows, engineMs: 0, cache: 'hit' });
  const plain = unpooled(`{"data":${data},"extensions":{"gateway":`);
  const isGzip = acceptsGzip && plain.length >= worthCompressing;
  const compressed = isGzip ? gzipStart(plain) : undefined;
  const start = compressed === undefined ? plain : ownMemory(compressed.bytes);
  return {
    calls: cached,
    logFields,
    bytes: start.length + calls.length * callBytes + answerBytes,
    send(to) {
      const { requestId, entries, now } = to;
      const reports = entries.flatMap(({ entry: { madeAt, freshUntil } }, index) => {
        const call = reported[index];
        const cache = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
        return call === undefined ? [] : [callReport({ ...call, engineMs: 0, cache }, now)];
      });
      const end = Buffer.from(`${JSON.stringify({ requestId, calls: reports })}}}`);
      const shownEnd = compressed === undefined ? end : gzipEnd(compressed, end);
      return sendCachedAnswer(to, { start, end: shownEnd, type, isGzip });
    },
  };
}

/** A buffer of its own: a small pooled one would retain its whole pool. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
