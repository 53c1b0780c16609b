import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The largest piece that is handed to the system at once, in bytes. How much of a piece a client has taken is not known. */
export const pieceBytes = 32_768;

/** What of bodies is still to be handed to the system, in bytes, by connection. */
const unsent = new WeakMap<Socket, number>();

/** What waits to be taken by a client: what of a body is to be sent, and what the system hasn't taken yet. */
export function unsentBytes(socket: Socket): number {
  return socket.writableLength + (unsent.get(socket) ?? 0);
}

/**
 * Ends a response with a body. Each piece waits until the system has taken the one before.
 *
 * @param tail what follows the body, a character for each byte
 */
export function sendInPieces(response: ServerResponse, body: Buffer, tail = ''): void {
  if (body.length <= pieceBytes) {
    endWith(response, body, tail);
    return;
  }
  const { socket } = response.req;
  let sent = 0;
  const sendNext = (error?: Error | null) => {
    if (error) return;
    const piece = body.subarray(sent, sent + pieceBytes);
    sent += piece.length;
    if (sent < body.length) {
      unsent.set(socket, body.length - sent);
      response.write(piece, sendNext);
      return;
    }
    unsent.delete(socket);
    endWith(response, piece, tail);
  };
  sendNext();
}

function endWith(response: ServerResponse, body: Buffer, tail: string): void {
  if (tail === '') response.end(body);
  else {
    response.write(body);
    response.end(tail, 'latin1');
  }
}
