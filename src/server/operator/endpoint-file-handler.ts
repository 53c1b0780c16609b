import { z } from 'zod';
import { readJson } from '../http/read-json.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';

/** The text of a file that is to be written. */
export interface WrittenText {
  readonly text: string;
  /** The text that the file has, to replace it. If undefined, there must be no such file. */
  readonly before?: string | undefined;
}

/** The file of an endpoint, and that of its tests if it is to be written, too. */
export interface WrittenEndpoint extends WrittenText {
  readonly test?: WrittenText | undefined;
}

/**
 * Writes the file of an endpoint.
 *
 * @returns its path
 * @throws GatewayError BAD_USER_INPUT for a name that no file can have, if there is such a file, or if it isn't as it was
 */
export type WriteEndpoint = (name: string, files: WrittenEndpoint) => Promise<string>;

const written = { text: z.string(), before: z.string().optional() };
/** The form of what is written. */
export const writtenEndpoint = { ...written, test: z.strictObject(written).optional() };
const bodySchema = z.strictObject(writtenEndpoint);

/**
 * `PUT /api/endpoints/<name>` with `{"text": "…"}`: makes the file of an endpoint, which is then loaded like every other one. With
 * `before`, the text that it has, it is replaced.
 */
export function endpointFileHandler(write: WriteEndpoint): KeyedHandler {
  return async (call) => {
    const files = await readJson(call, bodySchema);
    const file = await write(call.segment, files);
    call.context.logFields.changes = [{ action: 'endpoint.written', target: call.segment }];
    return jsonAnswer(files.before === undefined ? 201 : 200, JSON.stringify({ file }));
  };
}
