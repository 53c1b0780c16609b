import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { accountOf } from '../../calls/access/caller/caller.ts';
import type { QueryClass } from '../../definitions/classes/query-class.ts';
import { hasBody } from '../http/body/read-body.ts';
import type { AskedEndpoint } from '../rest/asked-endpoint.ts';

export interface LoadShedderOptions {
  readonly permits: {
    /** Whether a query would have to wait, at least in some class. */
    readonly areTaken: boolean;
    /** The error that a query of the account and the class would get now; undefined when it could run or wait. */
    refusal(account: Account, ofClass: QueryClass): GatewayError | undefined;
  };
  /** The caller of a request, if that is known without much work. */
  readonly callerOf: (request: IncomingMessage) => Caller | undefined;
  /** What the request asks for. */
  readonly askedBy: (request: IncomingMessage, caller: Caller) => AskedEndpoint;
  /** Whether a response to the request is cached. */
  readonly isCached: (request: IncomingMessage, caller: Caller) => boolean;
}

/** A request that is refused, with what is recorded of it. */
export interface Shed extends AskedEndpoint {
  readonly error: GatewayError;
  readonly caller: Caller;
}

/**
 * Refuses requests early while their queries would be refused anyway: at ten times the load, nine of ten requests are
 * refused, and a cheap refusal leaves time for the others. Only accounts with too many queries are affected. A request
 * whose target is being answered for another request is not refused, because both can share a flight. A request with a
 * body must be read first and is never refused here.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  /** How many requests are being answered, by target. */
  readonly #answering = new Map<string, number>();

  constructor(options: LoadShedderOptions) {
    this.#options = options;
  }

  /** The refusal of a request, if any. An accepted request counts as being answered until its response is closed. */
  enter(request: IncomingMessage, response: ServerResponse): Shed | undefined {
    const { url = '', method } = request;
    if (method === 'OPTIONS' || hasBody(request)) return undefined;
    const others = this.#answering.get(url) ?? 0;
    const refusal = others === 0 ? this.#refusal(request) : undefined;
    if (refusal !== undefined) return refusal;
    this.#answering.set(url, others + 1);
    response.once('close', () => {
      const left = (this.#answering.get(url) ?? 1) - 1;
      if (left === 0) this.#answering.delete(url);
      else this.#answering.set(url, left);
    });
    return undefined;
  }

  #refusal(request: IncomingMessage): Shed | undefined {
    const { permits, callerOf, askedBy, isCached } = this.#options;
    const caller = permits.areTaken ? callerOf(request) : undefined;
    if (caller === undefined) return undefined;
    const asked = askedBy(request, caller);
    const error = permits.refusal(accountOf(caller), asked.class);
    return error === undefined || isCached(request, caller) ? undefined : { ...asked, error, caller };
  }
}
