import { GatewayError } from '../errors.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/answer.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { Face } from '../http/exchange.ts';

const ok = (details: HealthDetails = {}) => jsonAnswer(200, JSON.stringify({ status: 'ok', ...details }));
const notReady = errorAnswer(new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is not ready.'));
const wrongMethod = errorAnswer(new GatewayError('METHOD_NOT_ALLOWED', 'Use GET or HEAD.'), {
  Allow: 'GET, HEAD',
});

/** What is known besides whether the gateway can answer. */
export type HealthDetails = Readonly<Record<string, string>>;

const paths: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', '/health', '/ready']);

/** Whether it is the target of those who watch over the gateway, which nothing may keep from an answer. */
export function isHealthPath(target: string | undefined): boolean {
  return paths.has(target);
}

interface HealthOptions {
  readonly isReady: () => boolean;
  readonly health?: () => HealthDetails;
}

/**
 * `/livez` or `/health`: the process runs. `/readyz` or `/ready`: it can answer, with details. None
 * asks for a key.
 */
export function healthFace({ isReady, health = () => ({}) }: HealthOptions): Face {
  const ready = () => (isReady() ? ok(health()) : notReady);
  const answers: Readonly<Record<string, () => Answer>> = {
    '/livez': ok,
    '/health': ok,
    '/readyz': ready,
    '/ready': ready,
  };
  return (exchange) => {
    const answer = Object.hasOwn(answers, exchange.path) ? answers[exchange.path] : undefined;
    if (answer === undefined) return undefined;
    const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
    sendAnswer(exchange, isRead ? answer() : wrongMethod);
    return Promise.resolve();
  };
}
