import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { pieceBytes, unsentBytes } from '../http/response/send-in-pieces.ts';
import { closeSlow } from '../http/response/unread.ts';
import type { OpenRequests } from './open-requests.ts';

export interface RevokedRequestsOptions {
  readonly openRequests: Pick<OpenRequests, 'all' | 'size' | 'onAdd'>;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly log: Log;
  /** For this many milliseconds, the check on arrival is enough for a request without an answer: the time limit of queries. */
  readonly freeMs: number;
}

/** How often requests are checked, in milliseconds. */
const checkMs = 1_000;

/**
 * Ends requests whose key or token is no longer valid or allows something else: answers that are being sent, such as exports,
 * backups and downloads by slow readers, and requests whose body or answer takes long. `LiveStreams` ends streams, and tells
 * their clients why.
 *
 * @returns a function that stops the checks
 */
export function cutRevokedRequests(options: RevokedRequestsOptions): () => void {
  const { openRequests, clock, log, freeMs } = options;
  const seenAt = new WeakMap<RequestContext, number>();

  function isRevoked(context: RequestContext): boolean {
    const now = clock.elapsed();
    const since = seenAt.get(context);
    if (since === undefined) seenAt.set(context, now);
    const { response, logFields } = context;
    if (logFields.isStream) return false;
    if (!response.headersSent && (since === undefined || now - since < freeMs)) return false;
    try {
      context.requireStillValid?.();
      return false;
    } catch {
      return true;
    }
  }

  function check(): void {
    for (const context of openRequests.all()) {
      if (!isRevoked(context)) continue;
      const { caller, requestId } = context;
      log.warn('a request was cut: its key is no longer valid', { key: caller?.name ?? '', requestId });
      context.request.socket.destroy();
    }
    if (openRequests.size > 0) watch();
  }

  let timer: { cancel(): void } | undefined;
  function watch(): void {
    timer ??= clock.after(checkMs, () => {
      timer = undefined;
      check();
    });
  }
  openRequests.onAdd(watch);
  return () => {
    openRequests.onAdd(() => {});
    timer?.cancel();
  };
}

export interface SlowReaderLimits {
  /** How often connections are checked, in milliseconds. */
  readonly everyMs: number;
  /** How long a connection may be slower than the minimum rate, in milliseconds. */
  readonly timeoutMs: number;
  /** Minimum rate at which clients must read. */
  readonly minBytesPerSecond: number;
}

const defaultSlowReaderLimits: SlowReaderLimits = {
  everyMs: 500,
  timeoutMs: 20_000,
  minBytesPerSecond: 1_000,
};

/** Since when a connection has unread bytes, and the bytes read before that. */
interface Waiting {
  readonly since: number;
  readonly readBefore: number;
}

/**
 * Closes connections whose clients read answers too slowly: unread answers occupy memory. `holdUnread` limits how much
 * of it they may occupy.
 *
 * @param now a monotonic clock, in milliseconds
 * @returns a function that stops the checks
 */
export function cutSlowReaders(
  server: Server,
  now: () => number,
  limits: SlowReaderLimits = defaultSlowReaderLimits,
): () => void {
  const { everyMs, timeoutMs, minBytesPerSecond } = limits;
  const sockets = new Set<Socket>();
  const waiting = new Map<Socket, Waiting>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
  });

  const check = () => {
    const time = now();
    for (const socket of sockets) measure(socket, time);
    for (const [socket, { since, readBefore }] of waiting) {
      const waitedMs = time - since;
      // All but the last byte of the current piece may have been read.
      const read = readBytes(socket) - readBefore + pieceBytes;
      const isSlow = waitedMs >= timeoutMs && read < (waitedMs / 1000) * minBytesPerSecond;
      if (isSlow) closeSlow(socket);
    }
  };

  /** Updates the state of a connection. */
  function measure(socket: Socket, time: number): void {
    if (unsentBytes(socket) === 0) waiting.delete(socket);
    else if (!waiting.has(socket)) waiting.set(socket, { since: time, readBefore: readBytes(socket) });
  }

  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}

/** Bytes that the system has accepted for a client in total. */
function readBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
