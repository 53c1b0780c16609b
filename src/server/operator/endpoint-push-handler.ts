import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { readJson } from '../http/read-json.ts';
import { payerOf } from '../http/request/gateway-headers.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';
import { type WrittenEndpoint, writtenEndpoint } from './endpoint-file-handler.ts';
import { textRefused } from './endpoint-files/editing-handlers.ts';
import type { EndpointEditing } from './endpoint-files/endpoint-editing.ts';

/** The files of an endpoint, and what is said of their change. */
export interface EndpointChange {
  readonly name: string;
  readonly files: WrittenEndpoint;
  /** The name of the key that makes it. */
  readonly author: string;
  /** One line. By default, what is done to which endpoint. */
  readonly message?: string | undefined;
}

/** A branch with one commit. */
export interface PushedEndpoint {
  readonly branch: string;
  readonly commit: string;
  /** The files that it changes, in the repository. */
  readonly files: readonly string[];
}

/**
 * Pushes the files of an endpoint to a new branch of the repository that has them, on top of the commit that is served. Serves
 * nothing.
 *
 * @throws GatewayError BAD_USER_INPUT for a name that no file can have, and if nothing is changed; CONFLICT if a file isn't as it
 *   was; BACKEND_UNAVAILABLE with what git says; the signal's reason
 */
export type PushEndpoint = (change: EndpointChange, signal: AbortSignal) => Promise<PushedEndpoint>;

const bodySchema = z.strictObject({
  name: z.string().min(1).max(200),
  ...writtenEndpoint,
  message: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'expected one line')
    .optional(),
});

/**
 * `POST /api/drafts/push` with `{"name": "…", "text": "…", "before": "…"}`: pushes the text of an endpoint's file to a branch of its
 * own, if it has no errors.
 *
 * @param push if undefined, the gateway pushes nothing, and says so
 */
export function endpointPushHandler(
  editing: () => Promise<EndpointEditing>,
  push: PushEndpoint | undefined,
): KeyedHandler {
  return async (call) => {
    const { context, caller, deadline } = call;
    if (push === undefined) {
      const message = 'This gateway pushes no branches: ENDPOINTS_PUSH_PREFIX is not set.';
      throw new GatewayError('NOT_FOUND', message);
    }
    const { name, message, ...files } = await readJson(call, bodySchema);
    const { signal } = deadline;
    const { account } = payerOf(caller, context.request.headersDistinct);
    const project = await editing();
    const { problems, shape } = await project.check({ name, text: files.text }, { account, signal });
    if (shape === undefined || problems.length > 0) throw textRefused(problems[0]);
    if (files.test !== undefined) project.checkTests({ name, text: files.test.text });
    const pushed = await push({ name, files, author: caller.name, message }, signal);
    const { branch, commit } = pushed;
    context.logFields.changes = [{ action: 'endpoint.pushed', target: name, details: { branch, commit } }];
    return jsonAnswer(201, JSON.stringify(pushed));
  };
}
