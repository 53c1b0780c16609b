import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { pieceBytes, unsentBytes } from '../http/response/send-in-pieces.ts';
import { closeSlow } from '../http/response/slow-sockets.ts';

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
 * Closes connections whose clients read answers too slowly: unread answers occupy memory. How much of it they may occupy is
 * the matter of a budget: see `holdUnread`.
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
