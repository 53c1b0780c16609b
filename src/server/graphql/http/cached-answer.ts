import { ownMemory } from '../../../base/system/own-memory.ts';
import { type CallLogFields, noteCall } from '../../../calls/call-log.ts';
import type { CachedEntry } from '../../../calls/executor/cache/entry-table.ts';
import { worthCompressing } from '../../http/request/accepts-gzip.ts';
import type { CachedCall, CachedResponse } from '../../http/response-cache/response-cache.ts';
import type { AnsweredCall } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import { callReport, lifetime } from './call-report.ts';
import { sendCachedAnswer } from './graphql-answer.ts';
import { gzipEnd, gzipStart } from './gzip-around.ts';

/** A text of which each character is one byte of UTF-8, as Node's encoding `latin1` has it. */
type ByteText = string;

interface ReportedCall extends CachedCall {
  /** The call's report, up to the age of the rows. */
  readonly report: ByteText;
}

/** Approximate bytes of a response, and of each of its calls, besides their texts. */
const answerBytes = 250;
const callBytes = 250;

/** Start of the part of a report that changes over time. It comes last. */
const volatilePart = '"ageSeconds":';

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
  const reported = calls.map(({ cachedEntry, ...call }) => cachedEntry && reportedCall(call, cachedEntry));
  if (calls.length === 0 || !reported.every((call) => call !== undefined)) return undefined;
  const logFields: CallLogFields = {};
  for (const { endpoint, rows } of calls) noteCall(logFields, { endpoint, rows, engineMs: 0, cache: 'hit' });
  const plain = unpooled(`{"data":${data},"extensions":{"gateway":{"requestId":`);
  const isGzip = acceptsGzip && plain.length >= worthCompressing;
  const compressed = isGzip ? gzipStart(plain) : undefined;
  const start = compressed === undefined ? plain : ownMemory(compressed.bytes);
  const bytes = reported.reduce((sum, { report }) => sum + report.length + callBytes, start.length);
  return {
    calls: reported,
    logFields,
    bytes: bytes + answerBytes,
    send(to) {
      const { entries, now } = to;
      const reports = entries.map(({ entry }, index) => {
        const { ageSeconds, ttlSeconds } = lifetime(entry, now);
        return `${reported[index]?.report}${ageSeconds},"ttlSeconds":${ttlSeconds}}}`;
      });
      const end = `"${to.requestId}","calls":[${reports.join()}]}}}`;
      const shownEnd = compressed === undefined ? end : gzipEnd(compressed, end);
      return sendCachedAnswer(to, { start, end: shownEnd, type, isGzip });
    },
  };
}

function reportedCall({ cost: _, ...call }: AnsweredCall, cachedEntry: CachedEntry): ReportedCall {
  const { madeAt, freshUntil } = cachedEntry.entry;
  const cache = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
  const report = byteText(JSON.stringify(callReport({ ...call, engineMs: 0, cache }, madeAt)));
  const end = report.lastIndexOf(volatilePart) + volatilePart.length;
  return { endpoint: call.endpoint, report: report.slice(0, end), cachedEntry: new WeakRef(cachedEntry) };
}

/** A buffer of its own: a small pooled one would retain its whole pool. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function byteText(text: string): ByteText {
  return Buffer.from(text).toString('latin1');
}
