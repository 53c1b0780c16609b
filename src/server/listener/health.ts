import { GatewayError } from '../../base/errors/errors.ts';
import { version } from '../../base/version.ts';
import { type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/response/answer.ts';
import { errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';

const ok = (details: HealthDetails = {}) => jsonAnswer(200, JSON.stringify({ status: 'ok', ...details }));
const live = () => ok({ version });
const notReady = errorAnswer(new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is not ready.'));
const wrongMethod = errorAnswer(methodNotAllowed('GET, HEAD'));

/** Details in addition to readiness. */
export type HealthDetails = Readonly<Record<string, string>>;

const paths: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', '/health', '/ready']);

/** Whether the target is a health check. Health checks are never limited. */
export function isHealthPath(target: string | undefined): boolean {
  return paths.has(target);
}

interface HealthOptions {
  readonly isReady: () => boolean;
  readonly health?: () => HealthDetails;
}

/**
 * `/livez` and `/health` report that the process runs, and its version. `/readyz` and `/ready` report whether it can answer, with
 * details. They need no key.
 */
export function healthHandler({ isReady, health = () => ({}) }: HealthOptions): RouteHandler {
  const ready = () => (isReady() ? ok(health()) : notReady);
  const answers: Readonly<Record<string, () => Answer>> = {
    '/livez': live,
    '/health': live,
    '/readyz': ready,
    '/ready': ready,
  };
  return routeHandler(Object.keys(answers), (context) => {
    const answer = Object.hasOwn(answers, context.path) ? answers[context.path] : undefined;
    if (answer === undefined) return undefined;
    const isRead = context.request.method === 'GET' || context.request.method === 'HEAD';
    sendAnswer(context, isRead ? answer() : wrongMethod);
    return Promise.resolve();
  });
}
