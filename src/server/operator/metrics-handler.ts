import { jsonAnswer } from '../http/response/answer.ts';
import type { PublicHandler } from '../http/route.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';

/** `GET /metrics`, in Prometheus's text format. */
export function metricsHandler(metrics: Pick<GatewayMetrics, 'text' | 'contentType'>): PublicHandler {
  return async () => {
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
    return jsonAnswer(200, await metrics.text(), headers);
  };
}
