import { parsedJson } from '../../../../base/text/parsed-json.ts';
import { checkMessage } from '../wire/check-message.ts';
import { GoogleError } from '../wire/google-error.ts';
import type { Message } from '../wire/message.ts';
import type { ReceivedRequest } from '../wire/request.ts';

/**
 * Parses the JSON body of a request, and checks it against its message.
 *
 * @param name the message's name in errors: `job`
 * @throws GoogleError
 */
export function readBody({ headers, body }: ReceivedRequest, definition: Message, name: string): unknown {
  const contentType = headers['content-type'] ?? '';
  if (!/^application\/json(?:\s*;|$)/i.test(contentType)) {
    const message = `Media type '${contentType}' is not supported. Valid media types: [application/json]`;
    throw new GoogleError({ reason: 'badContent', message }, { status: 400 });
  }
  const json = parsedJson(body);
  if (json === undefined) {
    const message = `Invalid JSON payload received. Unexpected token.\n${body.slice(0, 40)}\n^`;
    throw new GoogleError({ reason: 'parseError', message });
  }
  checkMessage(json, definition, name);
  return json;
}
