import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How the server treats a request; one that does nothing leaves it hanging. */
export type Reaction = (response: ServerResponse, request: SeenRequest) => void;

/** A real HTTP server that reacts to its requests as told: by one reaction after the other, the last one again and again. */
export class ScriptedServer {
  readonly seen: SeenRequest[] = [];
  #reactions: Reaction[] = [json({})];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #closed = 0;

  async start(): Promise<this> {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#closed++;
      });
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  get closedConnections(): number {
    return this.#closed;
  }

  react(...reactions: Reaction[]): void {
    this.#reactions = reactions;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    this.seen.push(seen);
    const reaction = this.#reactions.length > 1 ? this.#reactions.shift() : this.#reactions[0];
    reaction?.(response, seen);
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reaction {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** An error as Google's servers write it. */
export function googleError(status: number, reason: string, headers: Record<string, string> = {}): Reaction {
  const message = `about ${reason}`;
  const errors = [{ message, domain: 'global', reason, location: 'q', locationType: 'parameter' }];
  return json({ error: { code: status, message, errors, status: 'SOME_STATUS' } }, status, headers);
}

export function text(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Reaction {
  return (response) => response.writeHead(status, headers).end(body);
}

export const hang: Reaction = () => {};

/** Closes the connection without a word. */
export const reset: Reaction = (response) => {
  response.socket?.resetAndDestroy();
};
