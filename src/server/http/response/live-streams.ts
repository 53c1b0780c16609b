import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../../base/fairness/account.ts';
import { Shares } from '../../../base/fairness/shares.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { accountOf } from '../../../calls/access/caller/caller.ts';
import type { LiveMeter, StreamEnd } from '../../../calls/live/live-meter.ts';
import { ClientGone } from '../request/deadline.ts';
import type { RequestContext } from '../request/request-context.ts';
import { EventStream } from './event-stream.ts';
import { closeSlow, wasSlow } from './unread.ts';

interface LiveStreamsParts {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Maximum number of streams. */
  readonly max: number;
  /** Maximum number of streams of one key. */
  readonly maxPerKey: number;
  readonly meter: LiveMeter;
}

/** Thrown into streams when the gateway stops. Their clients connect again, to another replica. */
export class StreamsEnd extends Error {
  override readonly name = 'StreamsEnd';
}

/** The error of a request for a stream when the gateway stops. */
export function gatewayStops(): GatewayError {
  return new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is stopping.', { retryAfterSeconds: 1 });
}

/** A stream, as its work sees it. Disposing of it ends it. */
export interface LiveStream extends Disposable {
  readonly events: EventStream;
  /** Aborted at its end: when the client leaves, its key is no longer valid or the gateway stops, and after all of its work. */
  readonly signal: AbortSignal;
  /** Ends the stream with an error. */
  readonly fail: (error: unknown) => void;
}

interface OpenStream extends LiveStream {
  readonly context: RequestContext;
}

/** Maximum time for a client to take an event, in milliseconds. The event may be in memory for this client only. */
const maxSendMs = 60_000;
/** How often keys are checked, in milliseconds. */
const checkMs = 500;
/** Checks from one keep-alive comment to the next. */
const checksPerBeat = 30;
/** Minimum delay after which clients connect again, in milliseconds. The maximum is twice as long. */
const retryMs = 1000;

/** The streams that are open. */
export class LiveStreams {
  readonly #parts: LiveStreamsParts;
  readonly #open = new Set<OpenStream>();
  /** The streams that have not ended. */
  readonly #shares = new Shares<OpenStream>();
  #timer: { cancel(): void } | undefined;
  #checks = 0;
  #hasEnded = false;
  readonly #eventOptions: ConstructorParameters<typeof EventStream>[1];

  constructor(parts: LiveStreamsParts) {
    this.#parts = parts;
    const retry = () => Math.round(retryMs * (1 + parts.random()));
    this.#eventOptions = { clock: parts.clock, retryMs: retry, meter: parts.meter };
  }

  /**
   * Opens a stream. Its request's headers are dropped. If there are too many streams, the newest one of the key with most of
   * them ends for a key with fewer, and so for the subjects of a key.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED if there are too many, and this key or subject has its share; `ClientGone`
   */
  open(context: RequestContext): LiveStream {
    const { request, response } = context;
    // Its `close` event has already been emitted.
    if (response.destroyed) throw clientGone();
    const account = context.caller === undefined ? ownAccount : accountOf(context.caller);
    this.#makeRoom(account);
    this.#parts.meter.opened();
    const ended = new AbortController();
    const fail = (error: unknown) => ended.abort(error);
    const hasLeft = () => fail(clientGone());
    response.once('close', hasLeft);
    forgetHeaders(request);
    const stream: OpenStream = {
      context,
      events: new EventStream(context, this.#eventOptions),
      signal: ended.signal,
      fail,
      [Symbol.dispose]: () => {
        response.off('close', hasLeft);
        this.#parts.meter.ended(causeOf(ended.signal.reason, request));
        fail(new Error('the stream has ended'));
        this.#open.delete(stream);
        this.#shares.delete(account, stream);
      },
    };
    this.#open.add(stream);
    this.#shares.add(account, stream);
    this.#watch();
    return stream;
  }

  /** Ends all streams, and refuses further ones. */
  end(): void {
    this.#hasEnded = true;
    this.#timer?.cancel();
    for (const { fail } of this.#open) fail(new StreamsEnd('the gateway is stopping'));
  }

  #makeRoom(account: Account): void {
    if (this.#hasEnded) throw gatewayStops();
    const { max, maxPerKey } = this.#parts;
    const isKeyFull = this.#shares.sizeOf(account.key) >= maxPerKey;
    if (!isKeyFull && this.#shares.size < max) return;
    const yielding = isKeyFull ? this.#shares.toYieldOfKey(account) : this.#shares.toYield(account);
    if (yielding === undefined) throw isKeyFull ? keyHas(maxPerKey) : thereAre(max);
    this.#shares.delete(yielding.account, yielding.item);
    yielding.item.fail(giveWay());
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#open.size === 0) return;
    this.#timer = this.#parts.clock.after(checkMs, () => {
      this.#timer = undefined;
      this.#check();
      this.#watch();
    });
  }

  #check(): void {
    this.#checks += 1;
    const isBeat = this.#checks % checksPerBeat === 0;
    for (const { context, events, signal, fail } of this.#open) {
      // A client that doesn't read can't be sent the end of the stream either.
      if (events.sendingMs > (signal.aborted ? checkMs : maxSendMs)) closeSlow(context.request.socket);
      try {
        context.requireStillValid?.();
        if (isBeat) events.beat();
      } catch (error) {
        fail(error);
      }
    }
  }
}

function keyHas(count: number): GatewayError {
  const message = `This key has ${count} live streams, which is the maximum.`;
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
}

function thereAre(count: number): GatewayError {
  const message = `There are ${count} live streams, which is the maximum.`;
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 5 });
}

/** The error of a stream that ends for one of another key, or of another subject. */
function giveWay(): GatewayError {
  const message = 'The stream was closed for callers with fewer live streams. Try again later.';
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
}

function clientGone(): ClientGone {
  return new ClientGone('the client closed the connection');
}

/** @param reason why the stream's signal was aborted */
function causeOf(reason: unknown, { socket }: IncomingMessage): StreamEnd {
  if (reason instanceof StreamsEnd) return 'stop';
  if (reason instanceof GatewayError && reason.code === 'UNAUTHENTICATED') return 'key';
  // A write can fail before the response emits `close`.
  if (reason instanceof ClientGone || socket.destroyed) return wasSlow(socket) ? 'slow' : 'client';
  return 'error';
}

/**
 * Drops the headers of a request with a long-lived response. Only the trace stays, because it is read again. Node keeps headers in
 * three forms, which take kilobytes.
 */
function forgetHeaders(request: IncomingMessage): void {
  const { traceparent } = request.headers;
  request.headersDistinct = {};
  request.headers = { ...(traceparent !== undefined && { traceparent }) };
  request.rawHeaders = [];
}
