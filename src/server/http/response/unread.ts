import type { Socket } from 'node:net';
import type { SharedMemory } from '../../../base/memory/shared-memory.ts';
import { accountOfConnection } from '../request/connection-account.ts';
import { closeSlow } from './slow-sockets.ts';

const memories = new WeakMap<Socket, SharedMemory>();

/** From now on, bytes that the client of a connection has not read are counted there. */
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
  // A small part of another allocation is no reason to count that one.
  const memory = buffer.byteLength === bytes.length ? buffer : bytes;
  const end = () => closeSlow(socket);
  return memories.get(socket)?.use(accountOfConnection(socket), memory, bytes.length, end);
}
