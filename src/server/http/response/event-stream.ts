import { written } from '../../../base/async/written.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { acceptWeights } from '../request/accept.ts';
import { ClientGone } from '../request/deadline.ts';
import type { RequestContext } from '../request/request-context.ts';
import { writeHead } from './response-head.ts';
import { pieceBytes } from './send-in-pieces.ts';
import { holdUnread } from './unread.ts';

/** The media type of event streams. */
export const eventStreamType = 'text/event-stream';

/** An event: https://html.spec.whatwg.org/multipage/server-sent-events.html */
interface ServerSentEvent {
  readonly event: string;
  /** Sent back in `Last-Event-ID` by a client that connects again. Without line breaks. */
  readonly id?: string | undefined;
  readonly data: string | Buffer;
}

const lineBreak = /\r\n|\n|\r/g;

/** The bytes of an event. */
export function eventBytes({ event, id, data }: ServerSentEvent): Buffer {
  const head = `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: `;
  const hasBreaks = data.includes('\n') || data.includes('\r');
  const body = hasBreaks ? String(data).replace(lineBreak, '\ndata: ') : data;
  return Buffer.concat([Buffer.from(head), Buffer.from(body), Buffer.from('\n\n')]);
}

interface EventStreamOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** After how many milliseconds a client connects again. */
  readonly retryMs: () => number;
  readonly meter: { sent(): void };
}

const eventHeaders = [
  ...['Content-Type', `${eventStreamType}; charset=utf-8`, 'Cache-Control', 'no-store'],
  // Proxies such as nginx would hold events back.
  ...['X-Accel-Buffering', 'no'],
];

const comment = Buffer.from(':\n\n');

/** A response that is a stream of events. It begins with the first of them. */
export class EventStream {
  readonly #context: RequestContext;
  readonly #options: EventStreamOptions;
  #bytes = 0;
  #began: number | undefined;

  constructor(context: RequestContext, options: EventStreamOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** For how many milliseconds an event is being sent; 0 if none is. */
  get sendingMs(): number {
    return this.#began === undefined ? 0 : this.#options.clock.elapsed() - this.#began;
  }

  get hasBegun(): boolean {
    return this.#context.response.headersSent;
  }

  /**
   * Sends bytes of `eventBytes`, and waits until the system has taken them: a slow client holds one event at most.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED if unread responses take too much memory; ClientGone
   */
  async send(bytes: Buffer): Promise<void> {
    const { response, request } = this.#context;
    // Small ones wait in the connection's own buffer.
    using _ = bytes.length > pieceBytes ? holdUnread(request.socket, bytes) : undefined;
    this.#begin();
    this.#bytes += bytes.length;
    this.#began = this.#options.clock.elapsed();
    try {
      // In pieces, which show how fast the client reads.
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        await written(response, bytes.subarray(at, at + pieceBytes));
      }
      this.#options.meter.sent();
    } catch {
      throw new ClientGone('the client closed the connection');
    } finally {
      this.#began = undefined;
    }
  }

  /** Sends a comment, which shows clients and proxies that the stream is alive. */
  beat(): void {
    const { response } = this.#context;
    // It would only wait behind unread events.
    if (!this.hasBegun || response.destroyed || response.writableLength > 0) return;
    response.write(comment);
  }

  end(): void {
    const { response, logFields } = this.#context;
    logFields.bytes = this.#bytes;
    if (!response.destroyed) response.end();
  }

  #begin(): void {
    const { response } = this.#context;
    if (response.headersSent) return;
    writeHead(this.#context, 200, eventHeaders);
    // Flushed at once: otherwise, Node keeps the headers in memory as dozens of pieces of text.
    response.flushHeaders();
    response.write(`retry: ${this.#options.retryMs()}\n\n`);
  }
}

/** Answers with these events only. */
export function sendEvents(context: RequestContext, events: readonly Buffer[]): void {
  const { response, logFields } = context;
  if (response.destroyed || response.headersSent) return;
  writeHead(context, 200, eventHeaders);
  const bytes = Buffer.concat(events);
  logFields.bytes = bytes.length;
  response.end(bytes);
}

/** Whether `Accept` names event streams, and no other type with a higher weight. */
export function asksForEvents(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes(eventStreamType)) return false;
  const weights = acceptWeights(accept);
  const weight = weights.get(eventStreamType) ?? 0;
  return weight > 0 && weights.values().every((other) => other <= weight);
}
