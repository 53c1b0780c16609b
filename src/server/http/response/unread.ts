import type { Socket } from 'node:net';
import type { SharedMemory } from '../../../base/memory/shared-memory.ts';
import { accountOfConnection } from '../request/connection-account.ts';

const memories = new WeakMap<Socket, SharedMemory>();

/** From now on, counts the bytes that the client of a connection has not read. */
export function countUnread(socket: Socket, memory: SharedMemory): void {
  memories.set(socket, memory);
}

/**
 * Counts bytes that are being sent until the result is disposed of. The same bytes count once, however many read them. The
 * connection may be closed to free them.
 *
 * @throws GatewayError OVERLOADED, RATE_LIMITED if unread responses take too much memory
 */
export function holdUnread(socket: Socket, bytes: Buffer): Disposable | undefined {
  const { buffer } = bytes;
  // A part of a larger allocation counts by itself.
  const memory = buffer.byteLength === bytes.length ? buffer : bytes;
  const end = () => closeSlow(socket);
  return memories.get(socket)?.use(accountOfConnection(socket), memory, bytes.length, end);
}

const slow = new WeakSet<Socket>();

/** Closes a connection whose client reads too slowly. */
export function closeSlow(socket: Socket): void {
  slow.add(socket);
  socket.destroy();
}

/** Whether the connection was closed because its client read too slowly. */
export function wasSlow(socket: Socket): boolean {
  return slow.has(socket);
}
