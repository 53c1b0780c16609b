import { GatewayError } from '../../base/errors/errors.ts';
import { sourceNames } from '../../rows/ingest/events/body-events.ts';
import { booleanParameter, singleParameter } from '../http/request/query-parameters.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { errorAnswer, failureHeaders } from '../http/response/error-answer.ts';
import type { CollectorProtocol } from './collector-handler.ts';
import { conflictWarnings, EventsRejected, rejectedCount, rejectionNotices } from './event-notices.ts';

const forms = [
  ...['json', 'vector', 'cloudflare', 'elixir/logger'],
  ...['erlang', 'erlang/logger', 'erlang/lager'],
];
const roots = ['/api/logs', '/logs', '/api/events'];

/** Other paths than `/api/logs`. */
export const logflareSpellings = roots
  .flatMap((root) => [root, ...forms.map((form) => `${root}/${form}`)])
  .slice(1);

/** The headers that name a source if no parameter does. */
const sourceHeaders = ['x-source', 'x-collection'];

/** The message of Logflare's own answers. */
const logged = 'Logged!';

/** `POST /api/logs?source=<name>` and its other spellings, as Logflare has them. */
export function logflareProtocol(): CollectorProtocol {
  return {
    parameters: [...sourceNames, 'partial'],
    form({ path, query, request }, resolve) {
      const parameters = new URLSearchParams(query);
      const given = sourceNames.flatMap((name) => singleParameter(parameters, name) || []);
      const [name = sourceHeaders.map((header) => request.headers[header]).find(isText), ...others] = given;
      if (others.some((other) => other !== name)) {
        throw new GatewayError('BAD_USER_INPUT', `The parameters ${sourceNames.join(', ')} differ.`);
      }
      const form = forms.find((each) => path.endsWith(`/${each}`));
      return {
        format: 'json',
        // Otherwise the body names it.
        source: name === undefined ? undefined : resolve(name),
        shape: form === 'json' || form === 'vector' ? form : 'row',
        partial: booleanParameter(parameters, 'partial'),
      };
    },
    answer({ rejected, conflicts }) {
      const count = rejectedCount(rejected);
      const warnings = conflictWarnings(conflicts);
      const details = count > 0 && { rejected: rejectionNotices(rejected), rejectedCount: count };
      return jsonAnswer(
        200,
        JSON.stringify({ message: logged, ...details, ...(warnings.length > 0 && { warnings }) }),
      );
    },
    refusal(error) {
      if (error instanceof EventsRejected) {
        const { message, code, rejections } = error;
        const rejected = { rejected: rejectionNotices(rejections), rejectedCount: rejectedCount(rejections) };
        const answer = jsonAnswer(error.status, JSON.stringify({ error: message, code, ...rejected }), {
          ...failureHeaders(error),
        });
        return { ...answer, error: code };
      }
      return errorAnswer(error);
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
