import type { Socket } from 'node:net';

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
