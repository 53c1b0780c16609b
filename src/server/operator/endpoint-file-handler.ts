import { z } from 'zod';
import { readJson } from '../http/read-json.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';

/**
 * Writes the file of a new endpoint.
 *
 * @returns its path
 * @throws GatewayError BAD_USER_INPUT for a name that no file can have, and if there is such a file
 */
export type WriteEndpoint = (name: string, text: string) => Promise<string>;

const bodySchema = z.strictObject({ text: z.string() });

/** `PUT /api/endpoints/<name>` with `{"text": "…"}`: makes the file of an endpoint, which is then loaded like every other one. */
export function endpointFileHandler(write: WriteEndpoint): KeyedHandler {
  return async (call) => {
    const { text } = await readJson(call, bodySchema);
    const file = await write(call.segment, text);
    call.context.logFields.changes = [{ action: 'endpoint.written', target: call.segment }];
    return jsonAnswer(201, JSON.stringify({ file }));
  };
}
