import { connect } from 'node:net';

/** What came back for a request. */
export interface Received {
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server neither answered nor closed the connection in time. */
  readonly isSilent: boolean;
}

/** Sends bytes on a connection of their own, and gives what comes back until it is closed or has been silent for too long. */
export function send(port: number, localAddress: string, text: string, silenceMs: number): Promise<Received> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let received = '';
    let isSilent = false;
    socket.setEncoding('latin1');
    socket.setTimeout(silenceMs, () => {
      isSilent = received === '';
      socket.destroy();
    });
    socket.on('data', (piece: string) => {
      if (received.length < 500_000) received += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      // The next answer follows the last character of the one before; no body holds a line break of HTTP's.
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/g)].map(([, status]) =>
        Number(status),
      );
      resolve({ statuses, text: received, isSilent });
    });
    socket.write(text, 'latin1');
  });
}
