import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from './redis.ts';

/** A server of a test's own that is in the place of Redis, or between it and its clients. */
export interface FaultyServer {
  readonly url: string;
  readonly port: number;
  /** Connections that are open. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** What a proxy does to what passes it, which can be changed at any time. */
export interface Faults {
  /** Milliseconds that everything takes longer, each way. */
  delayMs: number;
  /** Whether nothing comes through, while connections stay open. */
  isBlackHole: boolean;
}

/** Says something to everybody who connects, and to everything that it hears. */
export function babbler(text: string | Buffer, port = 0): Promise<FaultyServer> {
  return serve(port, (socket) => {
    socket.write(text);
    socket.on('data', () => socket.write(text));
  });
}

/**
 * Passes on what it hears, with the faults that it has at the time.
 *
 * @param toPort for connections that begin now
 */
export function proxy(toPort: number | (() => number), faults: Faults): Promise<FaultyServer> {
  return serve(0, (socket) => {
    const other = connect(typeof toPort === 'number' ? toPort : toPort(), '127.0.0.1');
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => {
        if (faults.isBlackHole) return;
        setTimeout(() => to.writable && to.write(chunk), faults.delayMs);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    };
    pass(socket, other);
    pass(other, socket);
  });
}

async function serve(port: number, onConnection: (socket: Socket) => void): Promise<FaultyServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${portOf(server)}`,
    port: portOf(server),
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
