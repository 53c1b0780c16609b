import { authoriseMetrics } from '../access/authorise.ts';
import { GatewayError } from '../errors.ts';
import { jsonAnswer, sendAnswer } from '../http/answer.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import type { Exchange, Face } from '../http/exchange.ts';
import type { Admission } from '../limits/admission.ts';
import type { Log } from '../log.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';

interface MetricsFaceOptions {
  readonly metrics: Pick<GatewayMetrics, 'text' | 'contentType'>;
  readonly admission: Admission;
  readonly log: Log;
  /** Whether they are shown to everybody. */
  readonly isPublic: boolean;
}

/** `/metrics`, in Prometheus's text format, for any key that sees everything, or for everybody. */
export function metricsFace({ metrics, admission, log, isPublic }: MetricsFaceOptions): Face {
  async function answer(exchange: Exchange): Promise<void> {
    const { method } = exchange.request;
    try {
      if (!isPublic) authoriseMetrics(await admission.admit(exchange));
      if (method !== 'GET' && method !== 'HEAD') {
        throw new GatewayError('METHOD_NOT_ALLOWED', 'Use GET or HEAD.');
      }
      const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
      sendAnswer(exchange, jsonAnswer(200, await metrics.text(), headers));
    } catch (thrown) {
      const error = disclose(thrown, exchange, log);
      const allow = error.code === 'METHOD_NOT_ALLOWED' ? { Allow: 'GET, HEAD' } : {};
      sendAnswer(exchange, errorAnswer(error, allow));
    }
  }
  return (exchange) => (exchange.path === '/metrics' ? answer(exchange) : undefined);
}
