import { authoriseRows } from '../access/authorise.ts';
import { GatewayError } from '../errors.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/answer.ts';
import { bodyStream } from '../http/body-stream.ts';
import { ClientGone, startDeadline, untilAborted } from '../http/deadline.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import type { Exchange, Face } from '../http/exchange.ts';
import { percentDecode } from '../http/percent-decoding.ts';
import type { Admission } from '../limits/admission.ts';
import type { Log } from '../log.ts';

/** What became of the rows that a source was sent. */
export interface RowsReceived {
  readonly imported: number;
  readonly duplicates: number;
  /** The first rows that were refused. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedCount: number;
}

/** Puts NDJSON rows into a source: all of them, or none when it rejects. */
export type ReceiveRows = (
  source: string,
  body: AsyncIterable<Uint8Array>,
  options: { contentEncoding?: string; skipBadRows: boolean; signal: AbortSignal },
) => Promise<RowsReceived>;

export interface RowsFaceOptions {
  readonly admission: Admission;
  readonly receiveRows: ReceiveRows;
  readonly log: Log;
  /** How long an upload may pause, in milliseconds. */
  readonly uploadPauseTimeoutMs?: number;
}

const route = /^\/api\/sources\/([^/]+)\/rows$/;

/**
 * `POST /api/sources/<source>/rows[?skip_bad_rows=true]`: NDJSON of any length. There is no deadline, as
 * large uploads take long; a client that leaves or pauses too long ends it.
 */
export function rowsFace(options: RowsFaceOptions): Face {
  return (exchange) => {
    const segment = route.exec(exchange.path)?.[1];
    return segment === undefined ? undefined : answerRows(exchange, segment, options);
  };
}

async function answerRows(exchange: Exchange, segment: string, options: RowsFaceOptions): Promise<void> {
  using deadline = startDeadline(exchange.response);
  try {
    sendAnswer(exchange, await receive(exchange, segment, deadline.signal, options));
  } catch (thrown) {
    if (thrown instanceof ClientGone || deadline.signal.aborted) return;
    const error = disclose(thrown, exchange, options.log);
    sendAnswer(exchange, errorAnswer(error, error.code === 'METHOD_NOT_ALLOWED' ? { Allow: 'POST' } : {}));
  }
}

async function receive(
  exchange: Exchange,
  segment: string,
  signal: AbortSignal,
  { admission, receiveRows, uploadPauseTimeoutMs = 60_000 }: RowsFaceOptions,
): Promise<Answer> {
  const { method, headers } = exchange.request;
  authoriseRows(await admission.admit(exchange, 'write'));
  if (method !== 'POST') throw new GatewayError('METHOD_NOT_ALLOWED', 'Use POST here.');
  const source = percentDecode(segment);
  if (source === undefined) {
    throw new GatewayError('BAD_USER_INPUT', 'The percent-encoding of the path is not valid UTF-8.');
  }
  const contentEncoding = headers['content-encoding'];
  const body = whileGood(bodyStream(exchange, uploadPauseTimeoutMs), () =>
    admission.requireStillGood(exchange),
  );
  const received = receiveRows(source, body, {
    ...(contentEncoding !== undefined && { contentEncoding }),
    skipBadRows: readSkipBadRows(exchange.query),
    signal,
  });
  return jsonAnswer(200, JSON.stringify(await untilAborted(received, signal)));
}

/** An upload has no deadline: its key is looked at with each piece, and when all of it is there. */
async function* whileGood(
  body: AsyncIterable<Uint8Array>,
  requireGood: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    requireGood();
    yield piece;
  }
  requireGood();
}

function readSkipBadRows(query: string): boolean {
  const text = new URLSearchParams(query).get('skip_bad_rows') ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new GatewayError('BAD_USER_INPUT', 'Parameter "skip_bad_rows": expected true or false.');
}
