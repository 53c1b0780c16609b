import { constants, crc32, deflateRawSync } from 'node:zlib';
import { ownMemory } from '../../../base/system/own-memory.ts';
import { type CallLogFields, noteCall } from '../../../calls/call-log.ts';
import { gzipLevel, worthCompressing } from '../../http/request/accept.ts';
import { lifetime } from '../../http/response-cache/lifetime.ts';
import type { CachedResponse } from '../../http/response-cache/response-cache.ts';
import type { AnsweredCall } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import { callReport } from './call-report.ts';
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

/** The bytes that end a compressed body with these, which stay as they are. */
export function gzipEnd({ crc, size }: GzipStart, bytes: Buffer): Buffer {
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
  return Buffer.concat([...blocks, trailer]);
}

/** Approximate bytes of a response besides its data, and of each of its calls. */
const answerBytes = 250;
const callBytes = 700;

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
  for (const { called, rows } of calls)
    noteCall(logFields, { endpoint: called, rows, engineMs: 0, cache: 'hit' });
  const plain = unpooled(`{"data":${data},"extensions":{"gateway":`);
  const isGzip = acceptsGzip && plain.length >= worthCompressing;
  const compressed = isGzip ? gzipStart(plain) : undefined;
  const start = compressed === undefined ? plain : ownMemory(compressed.bytes);
  /** The reports on the calls as JSON, which change once a second. */
  let shown = { form: '', reports: '' };
  return {
    calls: cached,
    api: 'graphql',
    logFields,
    bytes: start.length + calls.length * callBytes + answerBytes,
    send(to) {
      const { requestId, entries, now } = to;
      let form = '';
      for (const { entry } of entries) {
        const { ageSeconds, ttlSeconds } = lifetime(entry, now);
        form += `${ageSeconds} ${ttlSeconds} `;
      }
      if (form !== shown.form) {
        const reports = entries.flatMap(({ entry: { madeAt, freshUntil } }, index) => {
          const call = reported[index];
          const cache = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
          return call === undefined ? [] : [callReport({ ...call, engineMs: 0, cache }, now)];
        });
        shown = { form, reports: JSON.stringify(reports) };
      }
      const end = Buffer.from(`{"requestId":${JSON.stringify(requestId)},"calls":${shown.reports}}}}`);
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
