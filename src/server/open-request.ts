import type { IncomingMessage, ServerResponse } from 'node:http';
import { HeldMemory } from '../http/held-memory.ts';
import type { RequestContext } from '../http/request-context.ts';
import { splitRequestTarget } from '../http/request-target.ts';
import type { OpenRequests } from './open-requests.ts';
import type { WatchedRequest } from './request-watch.ts';

/** What bodies of requests may take in memory, in bytes. */
const maxHeldBytes = 128_000_000;

/** A request as it came, and how its answer is sent. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly watched: WatchedRequest;
  /** Whether the client waits for leave to send the body. */
  readonly awaitsLeave: boolean;
}

/** Makes an context of a request, which is open until its answer was sent or its client has left. */
export type OpenRequest = (arrived: Arrived) => RequestContext;

interface ExchangeOpenerOptions {
  /** Keeps in mind what is open. */
  readonly openRequests: OpenRequests;
  /** How long the rest of a body that nobody read is waited for, in milliseconds. */
  readonly unreadBodyTimeoutMs: number;
}

/** Opens the requests of one server, whose bodies take a bounded amount of memory together. */
export function requestOpener({ openRequests, unreadBodyTimeoutMs }: ExchangeOpenerOptions): OpenRequest {
  const heldMemory = new HeldMemory(maxHeldBytes);
  return ({ request, response, watched, awaitsLeave }) => {
    const { path, query } = splitRequestTarget(request.url ?? '/');
    const { requestId, logFields } = watched;
    let leaveGiven = !awaitsLeave;
    const openBody = () => {
      if (!leaveGiven) response.writeContinue();
      leaveGiven = true;
      return request;
    };
    let held = 0;
    const holdMemory = (bytes: number) => {
      heldMemory.take(bytes);
      held += bytes;
    };
    const context = { request, response, requestId, logFields, path, query, openBody, holdMemory };
    openRequests.add(context);
    response.once('close', () => {
      watched.end(response);
      heldMemory.give(held);
      if (!request.readableEnded) discardBody(request, unreadBodyTimeoutMs);
    });
    return context;
  };
}

/** Reads on to the end of the body, so that the connection can be used again, but not for ever. */
function discardBody(request: IncomingMessage, milliseconds: number): void {
  request.resume();
  if (request.complete || request.socket.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), milliseconds);
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}
