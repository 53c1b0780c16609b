import { constants, crc32, deflateRawSync } from 'node:zlib';
import { ownMemory } from '../../../base/system/own-memory.ts';
import { type CallLogFields, noteCall } from '../../../calls/call-log.ts';
import type { CachedEntry } from '../../../calls/executor/entry-table.ts';
import { gzipLevel, worthCompressing } from '../../http/request/accept.ts';
import type { CachedCall, CachedResponse } from '../../http/response-cache/response-cache.ts';
import type { AnsweredCall } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import { callReport, lifetime } from './call-report.ts';
import { sendCachedAnswer } from './graphql-answer.ts';

/** The header of gzip without a time or a name. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The longest block that isn't compressed. */
const maxStored = 0xffff;

/** Compressed bytes that can be continued. */
interface GzipStart {
  readonly bytes: Buffer;
  readonly crc: number;
  readonly size: number;
}

/** Compresses the start of a body, once. Source: RFC 1951 and RFC 1952. */
export function gzipStart(start: Buffer): GzipStart {
  // A flush ends the block at a byte, after which another block can follow.
  const flushed = deflateRawSync(start, { level: gzipLevel, finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes: Buffer.concat([header, flushed]), crc: crc32(start), size: start.length };
}

/** The bytes that end a compressed body with this text, which stays as it is. One character for each byte. */
export function gzipEnd({ crc, size }: GzipStart, end: string): string {
  const bytes = Buffer.from(end, 'latin1');
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += maxStored) {
    const block = bytes.subarray(at, at + maxStored);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + maxStored >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    blocks.push(head, block);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes, crc), 0);
  trailer.writeUInt32LE((size + bytes.length) % 2 ** 32, 4);
  return Buffer.concat([...blocks, trailer]).toString('latin1');
}

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
