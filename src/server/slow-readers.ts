import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { pieceBytes, unsentBytes } from '../http/send-in-pieces.ts';

export interface SlowReaderLimits {
  /** How often connections are looked at, in milliseconds. */
  readonly everyMs: number;
  /** How long a connection may take less than is expected, in milliseconds. */
  readonly patienceMs: number;
  /** What a client is expected to take, in bytes a second. */
  readonly bytesPerSecond: number;
  /** What may wait to be taken on all connections together, in bytes. */
  readonly mostUnread: number;
}

const usualSlowReaderLimits: SlowReaderLimits = {
  everyMs: 500,
  patienceMs: 20_000,
  bytesPerSecond: 1_000,
  mostUnread: 256_000_000,
};

/** What waits to be taken on a connection, since when, and how much had been taken of everything then. In bytes. */
interface Waiting {
  readonly since: number;
  readonly takenBefore: number;
  readonly unread: number;
}

/**
 * Cuts connections whose clients don't take their answers, or take them very slowly: answers that nobody takes are
 * memory. When too much waits on all of them together, those that have waited longest are cut first.
 *
 * @param now milliseconds that only go forward
 * @returns what stops it
 */
export function cutSlowReaders(
  server: Server,
  now: () => number,
  limits: SlowReaderLimits = usualSlowReaderLimits,
): () => void {
  const { everyMs, patienceMs, bytesPerSecond, mostUnread } = limits;
  const sockets = new Set<Socket>();
  const waiting = new Map<Socket, Waiting>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
  });

  const look = () => {
    const time = now();
    let total = 0;
    for (const socket of sockets) total += measure(socket, time);
    for (const [socket, { since, takenBefore, unread }] of waiting) {
      const waitedMs = time - since;
      // Of the piece that is being taken, all but the last byte may have been.
      const taken = takenBytes(socket) - takenBefore + pieceBytes;
      const isSlow = waitedMs >= patienceMs && taken < (waitedMs / 1000) * bytesPerSecond;
      if (!isSlow && total <= mostUnread) continue;
      total -= unread;
      socket.destroy();
    }
  };

  /** Notes what has become of a connection since it was looked at, and gives the bytes that wait on it. */
  function measure(socket: Socket, time: number): number {
    const unread = unsentBytes(socket);
    if (unread === 0) {
      waiting.delete(socket);
      return 0;
    }
    const { since = time, takenBefore = takenBytes(socket) } = waiting.get(socket) ?? {};
    waiting.set(socket, { since, takenBefore, unread });
    return unread;
  }

  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

/** How many bytes the system has taken for a client, of all that was ever sent. */
function takenBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
