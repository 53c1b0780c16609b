import { never } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Call } from '../../../calls/call.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import { longestLiveSeconds, maxTailRows } from '../../../calls/live/limits.ts';
import type { Watching } from '../../../calls/live/watchers.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { GraphqlContext, Subscribing } from '../execution/context.ts';
import { type CallOutcome, sizeOfRows } from './run-call.ts';

/** What a resolver of a subscription gets: rows, or what went wrong. */
export interface LiveEvent {
  /** What the event is about. Events of the same thing differ only in what their watchers may see. */
  readonly about: object;
  /** The id of the event, from which a tail goes on. */
  readonly id?: string;
  /** Whether rows were left out before these. */
  readonly skipped: boolean;
  outcome(): Promise<CallOutcome>;
}

/** @throws GatewayError if subscriptions are not possible */
function subscribing({ subscribing: possible }: GraphqlContext): Subscribing {
  if (possible !== undefined) return possible;
  throw new GatewayError('BAD_USER_INPUT', 'Subscriptions need the header "Accept: text/event-stream".');
}

function watchingOf(context: GraphqlContext, seconds: number): Watching {
  const { signal, fail } = subscribing(context);
  return { intervalMs: seconds * 1000, signal, fail };
}

/** @throws GatewayError BAD_USER_INPUT */
function intervalSeconds({ liveSeconds }: Endpoint, live: unknown): number {
  if (typeof live !== 'number') return liveSeconds;
  if (live >= liveSeconds && live <= longestLiveSeconds) return live;
  const message = `Argument "live": expected a number from ${liveSeconds} to ${longestLiveSeconds}, got ${live}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'live' });
}

/** The result of a call, whenever it may have changed. */
export async function* liveResults(
  context: GraphqlContext,
  call: Call,
  live: unknown,
): AsyncGenerator<LiveEvent> {
  for await (const outcome of call.watch(watchingOf(context, intervalSeconds(call.endpoint, live))))
    yield 'error' in outcome ? failure(outcome) : eventOf(outcome.rows, { skipped: false });
}

/**
 * The rows of a table as they arrive.
 *
 * @param rows how many of the present rows come first
 */
export async function* liveTail(
  context: GraphqlContext,
  call: Call,
  rows: number,
): AsyncGenerator<LiveEvent> {
  if (rows < 0 || rows > maxTailRows) {
    const message = `Argument "last": expected a number from 0 to ${maxTailRows}, got ${rows}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'last' });
  }
  // A browser that connects again repeats the argument: the header is newer.
  const after = subscribing(context).lastEventId ?? call.tail?.after;
  let skipped = false;
  for await (const event of call.watchTail({ rows, after }, watchingOf(context, call.endpoint.liveSeconds))) {
    if (event.kind === 'error') yield failure(event);
    else if (event.kind === 'skipped') skipped = true;
    else {
      yield eventOf(event.rows, { id: event.cursor, skipped });
      skipped = false;
    }
  }
}

/** Others share the outcome, so it doesn't end with this client. */
function eventOf(rows: ShownRows, fields: Pick<LiveEvent, 'id' | 'skipped'>): LiveEvent {
  return {
    ...fields,
    get about() {
      return rows.origin;
    },
    outcome: async () => {
      const { columns, truncated } = rows;
      const shown = await rows.all(never);
      return { columns, truncated, rows: shown, bytes: sizeOfRows(shown) };
    },
  };
}

function failure(about: { readonly error: unknown }): LiveEvent {
  return { about, skipped: false, outcome: () => Promise.reject(about.error) };
}
