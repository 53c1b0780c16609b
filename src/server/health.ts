import { GatewayError } from '../errors.ts';
import { jsonAnswer, sendAnswer } from '../http/answer.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { Face } from '../http/exchange.ts';

const ok = jsonAnswer(200, '{"status":"ok"}');
const notReady = errorAnswer(new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is not ready.'));
const wrongMethod = errorAnswer(new GatewayError('METHOD_NOT_ALLOWED', 'Use GET or HEAD.'), {
  Allow: 'GET, HEAD',
});

/** `/livez`: the process runs. `/readyz`: it can answer. Neither asks for a key. */
export function healthFace(isReady: () => boolean): Face {
  const answers: Readonly<Record<string, () => typeof ok>> = {
    '/livez': () => ok,
    '/readyz': () => (isReady() ? ok : notReady),
  };
  return (exchange) => {
    const answer = Object.hasOwn(answers, exchange.path) ? answers[exchange.path] : undefined;
    if (answer === undefined) return undefined;
    const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
    sendAnswer(exchange, isRead ? answer() : wrongMethod);
    return Promise.resolve();
  };
}
