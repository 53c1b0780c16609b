import { z } from 'zod';
import { readJson } from '../http/read-json.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';

/**
 * Writes the file of a board, and serves it.
 *
 * @param replaces the text that the file has; undefined for a new one
 * @returns its path
 * @throws GatewayError BAD_USER_INPUT for a name that no board can have, for a board with errors, and if the file has another text
 */
export type WriteBoard = (name: string, text: string, replaces: string | undefined) => Promise<string>;

const bodySchema = z.strictObject({ text: z.string(), replaces: z.string().optional() });

/**
 * `PUT /api/boards/<name>` with `{"text": "…", "replaces": "…"}`: makes the file of a board, or replaces it if it still has the
 * text that was read.
 */
export function boardFileHandler(write: WriteBoard): KeyedHandler {
  return async (call) => {
    const { text, replaces } = await readJson(call, bodySchema);
    const file = await write(call.segment, text, replaces);
    call.context.logFields.changes = [{ action: 'board.written', target: call.segment }];
    return jsonAnswer(replaces === undefined ? 201 : 200, JSON.stringify({ file }));
  };
}
