import { GatewayError } from '../../base/errors/errors.ts';
import { version } from '../../base/version.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { PublicHandler } from '../http/route.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';

/** Details in addition to readiness. */
export type HealthDetails = Readonly<Record<string, string | readonly string[]>>;

const ok = (details: HealthDetails) => jsonAnswer(200, JSON.stringify({ status: 'ok', ...details }));

/** `/livez` and `/health` report that the process runs, and its version. */
export const livenessHandler: PublicHandler = async () => ok({ version });

/** `/readyz` and `/ready` report whether the gateway can answer, with details. */
export function readinessHandler(isReady: () => boolean, details: () => HealthDetails): PublicHandler {
  return async () => {
    if (isReady()) return ok(details());
    throw new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is not ready.');
  };
}

/** `GET /metrics`, in Prometheus's text format. */
export function metricsHandler(metrics: Pick<GatewayMetrics, 'text' | 'contentType'>): PublicHandler {
  return async () => {
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
    return jsonAnswer(200, await metrics.text(), headers);
  };
}
