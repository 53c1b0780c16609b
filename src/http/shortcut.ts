import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestFacts } from './request-log-fields.ts';

/**
 * Asked before everything else whether a request can be answered at once, from what is at hand. A body that came
 * together with the head is at hand, too.
 *
 * @param watched gives the id of the request, and takes what is to be known of it
 * @returns whether it was answered; otherwise nothing was done with it
 */
export type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  watched: { readonly requestId: string; readonly facts: RequestFacts },
) => boolean;
