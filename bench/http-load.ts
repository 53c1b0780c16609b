import { connect } from 'node:net';
import { prove, proveIs } from './proof.ts';

export interface Load {
  readonly port: number;
  /**
   * A request as sent, or that of each connection by its number. Its responses must have a `Content-Length` or status
   * 304.
   */
  readonly request: string | ((connection: number) => string);
  readonly status: number;
  /** The required start of each response's body. */
  readonly begins: Buffer;
  readonly count: number;
  readonly connections: number;
}

/**
 * Sends a request repeatedly: each connection sends the next one as soon as it has the response. Uses sockets, because
 * an HTTP client would take longer to read a response than the server to send it.
 *
 * @returns the time of each response in milliseconds, from its request until it was complete
 * @throws MeasurementError when a response has another status or body
 */
export async function sendLoad(load: Load): Promise<number[]> {
  const { request } = load;
  const times: number[] = [];
  let begun = 0;
  const takeOne = () => begun++ < load.count;
  const requestOf = typeof request === 'string' ? () => request : request;
  await Promise.all(
    Array.from({ length: load.connections }, (_, connection) =>
      sendOnConnection({ ...load, request: requestOf(connection) }, takeOne, times),
    ),
  );
  proveIs(times.length, load.count, 'complete answers');
  return times;
}

function sendOnConnection(
  { port, request, status, begins }: Load & { readonly request: string },
  takeOne: () => boolean,
  times: number[],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const bytes = Buffer.from(request, 'latin1');
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let pieces: Buffer[] = [];
  let missing = 0;
  let sentAt = 0;
  const next = () => {
    if (!takeOne()) {
      socket.end();
      return;
    }
    sentAt = performance.now();
    socket.write(bytes);
  };
  socket.on('connect', next);
  socket.on('data', (piece) => {
    try {
      if (pieces.length === 0) missing = answerLength(piece, status);
      pieces.push(piece);
      missing -= piece.length;
      if (missing > 0) return;
      times.push(performance.now() - sentAt);
      proveBody(Buffer.concat(pieces), begins);
    } catch (error) {
      reject(error);
      socket.destroy();
      return;
    }
    pieces = [];
    next();
  });
  socket.on('close', () => resolve());
  socket.on('error', reject);
  return promise;
}

/**
 * The length of the response that starts with this chunk. The servers write the whole head at once, so it is in the
 * first chunk.
 */
function answerLength(piece: Buffer, status: number): number {
  const headLength = piece.indexOf('\r\n\r\n') + 4;
  const head = piece.toString('latin1', 0, headLength);
  prove(
    headLength >= 4 && head.startsWith(`HTTP/1.1 ${status} `),
    `expected status ${status}, found ${head.split('\r\n')[0]}`,
  );
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return headLength + Number(status === 304 ? 0 : length);
}

function proveBody(answer: Buffer, begins: Buffer): void {
  const content = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
  prove(
    content.subarray(0, begins.length).equals(begins),
    `an answer has another body: ${content.toString('utf8', 0, 100)}`,
  );
}
