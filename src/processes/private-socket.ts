import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';

/** The longest path that a socket can have, in bytes: macOS's limit, which is lower than Linux's. */
const maxPathBytes = 103;

/** A socket for one connection. */
export interface PrivateSocket {
  /** What the other side dials. */
  readonly path: string;
  /** The first one that comes. The socket is gone then. Rejected by `close`. */
  readonly connection: Promise<Socket>;
  /** Stops waiting for a connection; one that came stays. */
  close(): void;
}

/**
 * Listens for one connection on a socket that only this user can dial: its mode is 0600, and so that nobody comes in between it
 * stands in a folder of mode 0700. Who has dialled it is the only one: the socket is removed then.
 *
 * @param folder a private folder, which stays
 * @throws when the path is too long for a socket, or the folder can't be written to
 */
export async function listenOnce(folder: string): Promise<PrivateSocket> {
  const name = path.join(folder, 's');
  if (Buffer.byteLength(name) > maxPathBytes)
    throw new Error(
      `The path of a socket has at most ${maxPathBytes} bytes, and ${name} has more: set TMPDIR to a shorter one`,
    );
  const { promise: connection, resolve, reject } = Promise.withResolvers<Socket>();
  // Whoever closes it may not have waited.
  connection.catch(() => {});
  const server = createServer((socket) => {
    if (!server.listening) socket.destroy();
    // That removes the file.
    else server.close();
    resolve(socket);
  });
  const listening = Promise.withResolvers<void>();
  server.on('error', (error) => {
    listening.reject(error);
    reject(error);
  });
  server.listen(name, listening.resolve);
  await listening.promise;
  await chmod(name, 0o600);
  return {
    path: name,
    connection,
    close() {
      server.close();
      reject(new Error('Nobody has dialled the socket'));
    },
  };
}
