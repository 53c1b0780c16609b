import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Account, accountOf } from '../access/account.ts';
import { BodyMemory } from '../http/body-memory.ts';
import type { RequestContext } from '../http/request-context.ts';
import { splitRequestTarget } from '../http/request-target.ts';
import { BodyDiscarder } from './body-discarder.ts';
import type { OpenRequests } from './open-requests.ts';
import type { WatchedRequest } from './request-watch.ts';

/** Memory for the bodies of all requests, in bytes. */
const maxBodyBytes = 128_000_000;

/** A request on arrival, with its response. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly watched: WatchedRequest;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
}

/** Creates the context of a request, which stays open until its answer was sent or its client has left. */
export type OpenRequest = (arrived: Arrived) => RequestContext;

interface RequestOpenerOptions {
  /** Tracks the requests in progress. */
  readonly openRequests: OpenRequests;
  /** How long to wait for the rest of a body that no handler read, in milliseconds. */
  readonly unreadBodyTimeoutMs: number;
}

/** Returns the function that opens the requests of one server. Their bodies share a bounded amount of memory. */
export function requestOpener({ openRequests, unreadBodyTimeoutMs }: RequestOpenerOptions): OpenRequest {
  const bodyMemory = new BodyMemory(maxBodyBytes);
  const discarder = new BodyDiscarder(unreadBodyTimeoutMs);
  return ({ request, response, watched, awaitsContinue }) => {
    const { path, query } = splitRequestTarget(request.url ?? '/');
    const { requestId, logFields, cors } = watched;
    let continueSent = !awaitsContinue;
    const openBody = () => {
      if (!continueSent) response.writeContinue();
      continueSent = true;
      return request;
    };
    let reserved = 0;
    const reserveMemory = (bytes: number) => {
      bodyMemory.reserve(bytes);
      reserved += bytes;
    };
    const common = { request, response, requestId, logFields, cors };
    const context: RequestContext = { ...common, path, query, openBody, reserveMemory };
    openRequests.add(context);
    response.once('close', () => {
      watched.end(response);
      bodyMemory.release(reserved);
      if (!request.readableEnded) discarder.discard(request, accountOfSender(context));
    });
    return context;
  };
}

/** The account of a request whose caller is known; otherwise, one for its address. */
function accountOfSender({ caller, request }: RequestContext): Account {
  return caller === undefined
    ? { key: `address ${request.socket.remoteAddress ?? ''}`, subject: '' }
    : accountOf(caller);
}
