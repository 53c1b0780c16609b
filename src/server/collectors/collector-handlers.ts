import type { Clock } from '../../base/system/clock.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import type { KeyedHandler, Refusal } from '../http/route.ts';
import { type CollectorProtocol, collectorHandler } from './collector-handler.ts';
import type { EventReports } from './event-reports.ts';
import type { ReceiveEvents } from './receive-events.ts';

/** What receives the events of collectors. */
export interface CollectorOptions {
  /** The name of a source, by its name or an alias. */
  readonly resolveSource: (name: string) => string | undefined;
  readonly receive: ReceiveEvents;
  readonly reports: EventReports;
}

interface ServerParts {
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  readonly requestTimeoutMs: number;
  readonly uploadMinBytesPerSecond: number;
  /** How often the pace of a body is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
  readonly memoryBudgets: Pick<MemoryBudgets, 'events'>;
}

/** A collector's part of its route. */
interface Collector {
  readonly answer: KeyedHandler | undefined;
  readonly refusal?: Refusal;
}

/**
 * Returns the function that makes the handler of a collector's protocol. The bodies of all of them share a bounded amount of
 * memory.
 *
 * @param options undefined if collectors have no routes
 */
export function collectorHandlers(
  options: CollectorOptions | undefined,
  { clock, uploadWindowMs = 30_000, ...server }: ServerParts,
): (protocolOf: (resolve: CollectorOptions['resolveSource']) => CollectorProtocol) => Collector {
  if (options === undefined) return () => ({ answer: undefined });
  const { resolveSource, receive, reports } = options;
  const { requestTimeoutMs, uploadMinBytesPerSecond: minBytesPerSecond, memoryBudgets } = server;
  const reading = { clock, minBytesPerSecond, windowMs: uploadWindowMs, memory: memoryBudgets.events };
  const common = { receive, reports, reading, requestTimeoutMs, now: () => clock.now() };
  return (protocolOf) => {
    const protocol = protocolOf(resolveSource);
    return { answer: collectorHandler(protocol, common), refusal: protocol.refusal };
  };
}
