import { GatewayError } from '../errors.ts';
import { jsonAnswer } from '../http/answer.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { failureHeaders } from '../http/failure-headers.ts';
import { booleanParameter, singleParameter } from '../http/query-parameters.ts';
import { unknownSource } from '../sources/unknown-source.ts';
import type { CollectorRoute } from './collector-handler.ts';
import { EventsRejected, rejectedCount, rejectionNotices } from './events-rejected.ts';

const forms = ['json', 'vector', 'cloudflare'] as const;
const paths = ['/api/logs', '/logs', '/api/events'].flatMap((path) => [
  path,
  ...forms.map((form) => `${path}/${form}`),
]);

/** The parameters that name a source. */
const sourceParameters = ['source', 'source_name'] as const;

/** What Logflare answers. */
const logged = 'Logged!';

/**
 * `POST /api/logs?source=<name>` and its other spellings, as Logflare has them.
 *
 * @param resolve the name of a source, by its name or an alias
 */
export function logflareRoute(resolve: (name: string) => string | undefined): CollectorRoute {
  return {
    paths,
    parameters: [...sourceParameters, 'partial'],
    form({ path, query }) {
      const parameters = new URLSearchParams(query);
      const given = sourceParameters.flatMap((name) => singleParameter(parameters, name) ?? []);
      const [name, ...others] = given;
      if (name === undefined || name === '') {
        throw new GatewayError('BAD_USER_INPUT', 'Parameter "source": name the source of the events.');
      }
      if (others.some((other) => other !== name)) {
        throw new GatewayError('BAD_USER_INPUT', 'The parameters "source" and "source_name" differ.');
      }
      const form = forms.find((each) => path.endsWith(`/${each}`));
      return {
        format: 'json',
        source: known(name, resolve),
        shape: form === 'json' || form === 'vector' ? form : 'row',
        partial: booleanParameter(parameters, 'partial'),
      };
    },
    answer({ rejected }) {
      const count = rejectedCount(rejected);
      const details = count > 0 && { rejected: rejectionNotices(rejected), rejectedCount: count };
      return jsonAnswer(200, JSON.stringify({ message: logged, ...details }));
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

function known(name: string, resolve: (name: string) => string | undefined): string {
  const source = resolve(name);
  if (source !== undefined) return source;
  throw unknownSource(name);
}
