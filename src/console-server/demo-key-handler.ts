import type { IncomingHttpHeaders } from 'node:http';
import { jsonAnswer, sendAnswer } from '../http/answer.ts';
import { type RouteHandler, routeHandler } from '../http/request-context.ts';

export const demoKeyPath = '/console/demo-key';

/**
 * `GET /console/demo-key`: the key that the demo has made for this run, for the console's page in a browser on the same
 * machine. For all other requests, the path does not exist.
 */
export function demoKeyHandler(key: string): RouteHandler {
  return routeHandler([demoKeyPath], (context) => {
    const { request, path } = context;
    if (path !== demoKeyPath || request.method !== 'GET' || !isOwnPage(request)) return undefined;
    sendAnswer(context, jsonAnswer(200, JSON.stringify({ key }), { 'Cache-Control': 'no-store' }));
    return Promise.resolve();
  });
}

/** What tells who asks. */
interface AskingRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/**
 * Whether the console's page on this machine asks. Other pages can't send this `Sec-Fetch-Site`; a page whose name leads
 * here has another `Host`; and a proxy that brings requests from elsewhere says so.
 */
export function isOwnPage({ socket, headers }: AskingRequest): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    headers['sec-fetch-site'] === 'same-origin' &&
    ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].every(
      (name) => headers[name] === undefined,
    )
  );
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host);
}
