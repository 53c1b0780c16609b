import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Asked before everything else whether a request can be answered at once, from what is at hand. A body that came
 * together with the head is at hand, too.
 *
 * @param requestId gives the id of the request
 * @returns whether it was answered; otherwise nothing was done with it
 */
export type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: () => string,
) => boolean;
