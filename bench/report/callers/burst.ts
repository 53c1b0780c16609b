import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { prove } from '../../proof.ts';

/** An answer of a burst. */
export interface BurstAnswer {
  readonly status: number;
  readonly body: string;
  /** From the start of all requests until this answer was complete, in milliseconds. */
  readonly milliseconds: number;
}

/**
 * Opens a connection for each request, and then sends all of them at once.
 *
 * @param ports the port of each request
 * @throws MeasurementError if a connection ends without an answer
 */
export async function sendBurst(ports: readonly number[], request: string): Promise<BurstAnswer[]> {
  const sockets: Socket[] = [];
  try {
    for (const port of ports) {
      const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
      sockets.push(socket);
      await once(socket, 'connect');
    }
    const began = performance.now();
    return await Promise.all(sockets.map((socket) => answerOf(socket, request, began)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function answerOf(socket: Socket, request: string, began: number): Promise<BurstAnswer> {
  socket.write(request);
  let received = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    received += piece;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) continue;
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
    if (received.length < head + 4 + length) continue;
    const milliseconds = performance.now() - began;
    return { status: Number(received.slice(9, 12)), body: received.slice(head + 4), milliseconds };
  }
  prove(false, 'a connection was closed without an answer');
}
