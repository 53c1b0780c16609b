import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { OpenRequests } from './open-requests.ts';

export interface RevokedRequestsOptions {
  readonly openRequests: Pick<OpenRequests, 'all' | 'size' | 'onAdd'>;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly log: Log;
  /** So long a request may go without an answer by the verdict at its begin, in milliseconds: the time limit of queries. */
  readonly freeMs: number;
}

/** How often requests are looked at, in milliseconds. */
const checkMs = 1_000;

/**
 * Ends requests whose key or token is no longer valid or allows something else: answers that are being sent, such as exports,
 * backups and downloads by slow readers, and requests whose body or answer takes long. `LiveStreams` ends streams, and tells
 * their clients why.
 *
 * @returns a function that stops the checks
 */
export function cutRevokedRequests(options: RevokedRequestsOptions): () => void {
  const { openRequests, clock, log, freeMs } = options;
  const seenAt = new WeakMap<RequestContext, number>();

  function isRevoked(context: RequestContext): boolean {
    const now = clock.elapsed();
    const since = seenAt.get(context);
    if (since === undefined) seenAt.set(context, now);
    const { response, logFields } = context;
    if (logFields.isStream) return false;
    if (!response.headersSent && (since === undefined || now - since < freeMs)) return false;
    try {
      context.requireStillValid?.();
      return false;
    } catch {
      return true;
    }
  }

  function check(): void {
    for (const context of openRequests.all()) {
      if (!isRevoked(context)) continue;
      const { caller, requestId } = context;
      log.warn('a request was cut: its key is no longer valid', { key: caller?.name ?? '', requestId });
      context.request.socket.destroy();
    }
    if (openRequests.size > 0) watch();
  }

  let timer: { cancel(): void } | undefined;
  function watch(): void {
    timer ??= clock.after(checkMs, () => {
      timer = undefined;
      check();
    });
  }
  openRequests.onAdd(watch);
  return () => {
    openRequests.onAdd(() => {});
    timer?.cancel();
  };
}
