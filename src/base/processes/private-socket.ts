import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';

/** Maximum length of a socket's path, in bytes: macOS's limit, which is lower than Linux's. */
const maxPathBytes = 103;

/** A socket that accepts one connection. */
export interface PrivateSocket {
  /** The path to connect to. */
  readonly path: string;
  /** Resolves with the first connection, when the socket file is removed. Rejected by `close`. */
  readonly connection: Promise<Socket>;
  /** Stops waiting for a connection. An accepted connection stays open. */
  close(): void;
}

/**
 * Listens for one connection on a socket that only this user can connect to. The socket's mode is 0600. It is in a
 * folder of mode 0700, because it briefly exists with another mode. The first connection removes it.
 *
 * @param folder a private folder, which is not removed
 * @throws if the path is too long for a socket, or the folder isn't writable
 */
export async function listenOnce(folder: string): Promise<PrivateSocket> {
  const name = path.join(folder, 's');
  if (Buffer.byteLength(name) > maxPathBytes)
    throw new Error(
      `The path of a socket can have at most ${maxPathBytes} bytes, but ${name} is longer: set TMPDIR to a shorter path`,
    );
  const { promise: connection, resolve, reject } = Promise.withResolvers<Socket>();
  // Nobody may be waiting for it when it is closed.
  connection.catch(() => {});
  const server = createServer((socket) => {
    if (!server.listening) socket.destroy();
    // This removes the socket file.
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
      reject(new Error('Nothing connected to the socket'));
    },
  };
}
