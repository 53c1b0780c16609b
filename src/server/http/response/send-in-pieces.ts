import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeSlow, holdUnread } from './unread.ts';

/** Maximum size of a write, in bytes. How much of a write the client has read is unknown. */
export const pieceBytes = 32_768;

/** Bytes of bodies that are not yet written, by connection. */
const unsent = new WeakMap<Socket, number>();

/** Unread bytes of a connection: those not yet written, plus those that the system has not accepted. */
export function unsentBytes(socket: Socket): number {
  return socket.writableLength + (unsent.get(socket) ?? 0);
}

/**
 * Sends a whole response. Each piece of its body is written once the system has accepted the previous one. The body counts as
 * unread until then.
 *
 * @param begin writes its head
 * @param tail a few bytes after the body
 * @throws GatewayError OVERLOADED, RATE_LIMITED if unread responses take too much memory. Nothing is sent then
 */
export function sendInPieces(response: ServerResponse, begin: () => void, body: Buffer, tail?: Buffer): void {
  const { socket } = response.req;
  if (body.length <= pieceBytes) {
    begin();
    endWith(response, body, tail);
    // Usually, the system has accepted it by now.
    if (response.writableLength > 0) countSlow(response, body);
    return;
  }
  const holding = holdUnread(socket, body);
  response.once('close', () => holding?.[Symbol.dispose]());
  begin();
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

function endWith(response: ServerResponse, body: Buffer, tail: Buffer | undefined): void {
  if (tail === undefined) response.end(body);
  else {
    response.write(body);
    response.end(tail);
  }
}

/** Counts a small body that waits in this process. */
function countSlow(response: ServerResponse, body: Buffer): void {
  const { socket } = response.req;
  try {
    const holding = holdUnread(socket, body);
    response.once('close', () => holding?.[Symbol.dispose]());
  } catch {
    // It is too late to refuse it.
    closeSlow(socket);
  }
}
