import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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

/** What waits to be taken on a connection, since when, and how much was taken meanwhile. */
interface Waiting {
  readonly since: number;
  unread: number;
  written: number;
  taken: number;
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
    for (const [socket, { since, taken, unread }] of waiting) {
      const waitedMs = time - since;
      const isSlow = waitedMs >= patienceMs && taken < (waitedMs / 1000) * bytesPerSecond;
      if (!isSlow && total <= mostUnread) continue;
      total -= unread;
      socket.destroy();
    }
  };

  /** Notes what has become of a connection since it was looked at, and gives the bytes that wait on it. */
  function measure(socket: Socket, time: number): number {
    const unread = unreadBytes(socket);
    if (unread === 0) {
      waiting.delete(socket);
      return 0;
    }
    const written = socket.bytesWritten;
    const known = waiting.get(socket);
    if (known === undefined) {
      waiting.set(socket, { since: time, unread, written, taken: 0 });
    } else {
      known.taken += known.unread + (written - known.written) - unread;
      known.unread = unread;
      known.written = written;
    }
    return unread;
  }

  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

/**
 * The bytes that were written and that the kernel has not taken yet. Streams count a piece as a whole until its last byte
 * is taken; libuv knows better, by a member that is not documented.
 */
function unreadBytes(socket: Socket): number {
  const pending = socket.writableLength;
  if (pending === 0) return 0;
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? pending;
}
