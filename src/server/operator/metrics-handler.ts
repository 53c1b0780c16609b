import type { Log } from '../../base/log/log.ts';
import { requireUnrestricted } from '../../calls/access/authorise.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { jsonAnswer, sendAnswer } from '../http/response/answer.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import type { Admission } from '../limits/admission.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';

interface MetricsHandlerOptions {
  readonly metrics: Pick<GatewayMetrics, 'text' | 'contentType'>;
  readonly admission: Admission;
  readonly log: Log;
  /** Whether metrics need no key. */
  readonly isPublic: boolean;
}

/** `/metrics`, in Prometheus's text format. Needs a key without restrictions, unless metrics are public. */
export function metricsHandler({ metrics, admission, log, isPublic }: MetricsHandlerOptions): RouteHandler {
  async function answer(context: RequestContext): Promise<void> {
    const { method } = context.request;
    try {
      if (!isPublic) requireUnrestricted(await admission.admit(context));
      if (method !== 'GET' && method !== 'HEAD') {
        throw methodNotAllowed('GET, HEAD');
      }
      const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
      sendAnswer(context, jsonAnswer(200, await metrics.text(), headers));
    } catch (thrown) {
      const error = disclose(thrown, context, log);
      sendAnswer(context, errorAnswer(error));
    }
  }
  return routeHandler(['/metrics'], (context) => (context.path === '/metrics' ? answer(context) : undefined));
}
