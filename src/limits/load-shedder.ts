import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '../errors.ts';
import { hasBody } from '../http/read-body.ts';

interface LoadShedderOptions {
  /** Why a query that has to run would be refused now; undefined when it would not be. */
  readonly refusal: () => GatewayError | undefined;
  /** Whether an answer to the request is kept. */
  readonly isAtHand: (request: IncomingMessage) => boolean;
}

/**
 * Refuses requests while queries that have to run would be refused, before anything is done for them: under ten times the load nine
 * requests of ten are refused, and what that costs is taken from the others. A request goes on whose target is being
 * answered to another one, since it can share that one's flight. One with a body has to be read first, and always goes on.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  /** How many requests are being answered, by target. */
  readonly #answering = new Map<string, number>();

  constructor(options: LoadShedderOptions) {
    this.#options = options;
  }

  /** Why a request is refused. When it isn't, it counts as being answered until the response is closed. */
  enter(request: IncomingMessage, response: ServerResponse): GatewayError | undefined {
    const { url = '', method } = request;
    if (method === 'OPTIONS' || hasBody(request)) return undefined;
    const others = this.#answering.get(url) ?? 0;
    const refusal = others === 0 ? this.#options.refusal() : undefined;
    if (refusal !== undefined && !this.#options.isAtHand(request)) return refusal;
    this.#answering.set(url, others + 1);
    response.once('close', () => {
      const left = (this.#answering.get(url) ?? 1) - 1;
      if (left === 0) this.#answering.delete(url);
      else this.#answering.set(url, left);
    });
    return undefined;
  }
}
