import type { Socket } from 'node:net';
import type { Account } from '../../../base/fairness/account.ts';
import type { Caller } from '../../../calls/access/caller/caller.ts';
import { accountOf } from '../../../calls/access/caller/caller.ts';

const callers = new WeakMap<Socket, Caller>();

/** Records the last authenticated caller of a connection. */
export function noteCaller(socket: Socket, caller: Caller): void {
  // Most connections have one caller, and writing costs more than reading.
  if (callers.get(socket) !== caller) callers.set(socket, caller);
}

/** The account of a connection. All clients without a key have one together, in which each address counts as a subject. */
export function accountOfConnection(socket: Socket): Account {
  const caller = callers.get(socket);
  return caller === undefined ? { key: 'no key', subject: socket.remoteAddress ?? '' } : accountOf(caller);
}
