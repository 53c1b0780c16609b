import type { Access } from '../access/access.ts';
import { cachePartition } from '../access/caller.ts';
import { queryingCaller } from '../access/querying-caller.ts';
import type { Clock } from '../clock.ts';
import type { EndpointCatalog } from '../endpoints/endpoint-catalog.ts';
import type { EntryTable, HeldEntry } from '../executor/cache/entry-table.ts';
import type { ExecutorMeter } from '../executor/meter.ts';
import { asksForRedaction } from '../http/asks-for-redaction.ts';
import { hasBody } from '../http/read-body.ts';
import type { Shortcut } from '../http/shortcut.ts';
import { hiddenClasses } from '../redaction/pii-class.ts';
import { cacheHeaders } from './answers/cache-headers.ts';
import type { KnownTarget, KnownTargets } from './answers/known-targets.ts';
import { sendBody } from './answers/send-body.ts';
import { variantFor } from './answers/variant.ts';

interface ShortcutOptions {
  readonly access: Access;
  readonly endpoints: EndpointCatalog;
  readonly targets: KnownTargets;
  readonly table: EntryTable;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
}

/**
 * Answers a request whose target was answered before from a body that is at hand and fresh: no parameter is read and
 * no row is built. The caller is let in as on the long way, which everything out of the ordinary is left to.
 */
export function hitShortcut(options: ShortcutOptions): Shortcut {
  const { access, targets, clock, meter } = options;
  return (request, response, watched) => {
    const { method, url = '', headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || headers.host === undefined || hasBody(request))
      return false;
    const caller = queryingCaller(request, access);
    if (caller === undefined) return false;
    const share = cachePartition(caller);
    const target = targets.get(url, share);
    if (target === undefined) return false;
    const now = clock.now();
    const held = freshEntry(target, { url, share }, now, options);
    if (held === undefined) return false;
    const isAsked = asksForRedaction(headers['lf-endpoint-redact-pii']);
    const hidden = hiddenClasses(target.endpoint, isAsked || caller.redact === true);
    const body = held.bodies.get(variantFor(hidden, headers['accept-encoding']).name);
    if (body === undefined) return false;

    held.askedAt = now;
    const { madeAt, freshUntil } = held.entry;
    const facts = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
    const bytes = sendBody(request, response, watched.requestId, body, cacheHeaders(facts, now));
    const noted = watched.facts;
    noted.key = caller.name;
    noted.endpoint = target.endpoint.name;
    noted.cache = 'hit';
    noted.rows = held.entry.rowCount;
    noted.engineMs = 0;
    noted.bytes = bytes;
    meter.cacheRequest(target.endpoint.name, 'hit');
    return true;
  };
}

function freshEntry(
  { endpoint, key }: KnownTarget,
  { url, share }: { readonly url: string; readonly share: string },
  now: number,
  { endpoints, targets, table }: ShortcutOptions,
): HeldEntry | undefined {
  if (endpoints.byId(endpoint.id) !== endpoint) {
    // It was changed or removed. The long way finds out what the target means now.
    targets.delete(url, share);
    return undefined;
  }
  const held = table.get(key);
  return held !== undefined && now < held.entry.freshUntil ? held : undefined;
}
