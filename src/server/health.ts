import { GatewayError } from '../errors.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/answer.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { RouteHandler } from '../http/request-context.ts';

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
export function healthHandler({ isReady, health = () => ({}) }: HealthOptions): RouteHandler {
  const ready = () => (isReady() ? ok(health()) : notReady);
  const answers: Readonly<Record<string, () => Answer>> = {
    '/livez': ok,
    '/health': ok,
    '/readyz': ready,
    '/ready': ready,
  };
  return (context) => {
    const answer = Object.hasOwn(answers, context.path) ? answers[context.path] : undefined;
    if (answer === undefined) return undefined;
    const isRead = context.request.method === 'GET' || context.request.method === 'HEAD';
    sendAnswer(context, isRead ? answer() : wrongMethod);
    return Promise.resolve();
  };
}
