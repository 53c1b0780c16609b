import type { Clock } from '../../base/clock/clock.ts';
import type { Log } from '../../base/log/log.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import type { RouteHandler } from '../http/request/request-context.ts';
import type { Admission } from '../limits/admission.ts';
import { collectorHandler } from './collector-handler.ts';
import type { EventReports } from './event-reports.ts';
import { logflareRoute } from './logflare-route.ts';
import { otlpRoute } from './otlp-route.ts';
import type { ReceiveEvents } from './receive-events.ts';

/** What receives the events of collectors. */
export interface CollectorOptions {
  /** The name of a source, by its name or an alias. */
  readonly resolveSource: (name: string) => string | undefined;
  readonly receive: ReceiveEvents;
  readonly reports: EventReports;
}

interface ServerParts {
  readonly admission: Admission;
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  readonly log: Log;
  readonly requestTimeoutMs: number;
  readonly uploadMinBytesPerSecond: number;
  /** How often the pace of a body is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
  readonly ingestMaxBodyBytes: number;
  readonly memoryBudgets: Pick<MemoryBudgets, 'events'>;
  readonly otlpSource: string | undefined;
}

/** The routes of collectors. Their bodies share a bounded amount of memory. */
export function collectorHandlers(
  { resolveSource, receive, reports }: CollectorOptions,
  { clock, uploadWindowMs = 30_000, ...server }: ServerParts,
): RouteHandler[] {
  const options = {
    ...{ receive, reports },
    admission: server.admission,
    reading: {
      clock,
      maxBytes: server.ingestMaxBodyBytes,
      minBytesPerSecond: server.uploadMinBytesPerSecond,
      windowMs: uploadWindowMs,
      memory: server.memoryBudgets.events,
    },
    requestTimeoutMs: server.requestTimeoutMs,
    log: server.log,
    now: () => clock.now(),
  };
  const routes = [logflareRoute(resolveSource), otlpRoute(resolveSource, server.otlpSource)];
  return routes.map((route) => collectorHandler(route, options));
}
