import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum size of a write, in bytes. How much of a write the client has read is unknown. */
export const pieceBytes = 32_768;

/** Bytes of bodies that are not yet written, by connection. */
const unsent = new WeakMap<Socket, number>();

/** Unread bytes of a connection: those not yet written, plus those that the system has not accepted. */
export function unsentBytes(socket: Socket): number {
  return socket.writableLength + (unsent.get(socket) ?? 0);
}

/**
 * Ends a response with a body. Each piece is written once the system has accepted the previous one.
 *
 * @param tail text after the body, one character for each byte
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
