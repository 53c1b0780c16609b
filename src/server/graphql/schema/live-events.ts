import { never } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { AuthorisedCall } from '../../../calls/call/authorised-call.ts';
import type { ExecutorResult } from '../../../calls/executor/executor.ts';
import { longestLiveSeconds, mostTailRows } from '../../../calls/live/limits.ts';
import type { Watching } from '../../../calls/live/watchers.ts';
import { redactRows } from '../../../calls/redaction/redact-result.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import { noteEndpoint } from '../../http/request/request-log-fields.ts';
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
  call: AuthorisedCall,
  live: unknown,
): AsyncGenerator<LiveEvent> {
  const { results } = subscribing(context);
  noteEndpoint(context.logFields, call.endpoint.name);
  const watching = watchingOf(context, intervalSeconds(call.endpoint, live));
  for await (const outcome of await results.watch(call, watching)) {
    if ('error' in outcome) yield failure(outcome);
    else {
      yield* emptied(call, outcome.result, { skipped: false });
    }
  }
}

/**
 * The rows of a table as they arrive.
 *
 * @param rows how many of the present rows come first
 */
export async function* liveTail(
  context: GraphqlContext,
  call: AuthorisedCall,
  rows: number,
): AsyncGenerator<LiveEvent> {
  const { tails, lastEventId } = subscribing(context);
  noteEndpoint(context.logFields, call.endpoint.name);
  if (rows < 0 || rows > mostTailRows) {
    const message = `Argument "last": expected a number from 0 to ${mostTailRows}, got ${rows}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'last' });
  }
  const watching = watchingOf(context, call.endpoint.liveSeconds);
  // A browser that connects again repeats the argument: the header is newer.
  const after = lastEventId ?? call.tail?.after;
  let skipped = false;
  for await (const event of await tails.watch(call, { rows, after }, watching)) {
    if (event.kind === 'error') yield failure(event);
    else if (event.kind === 'skipped') skipped = true;
    else {
      yield* emptied(call, event.rows, { id: event.cursor, skipped });
      skipped = false;
    }
  }
}

type ShownRows = Pick<ExecutorResult, 'columns' | 'rows' | 'truncated'>;

/** Yields an event once. Those who iterate hold what they got until they get more: its rows are removed. */
function* emptied(
  call: AuthorisedCall,
  result: ShownRows,
  fields: Pick<LiveEvent, 'id' | 'skipped'>,
): Generator<LiveEvent, void> {
  let rows: ShownRows | undefined = result;
  const event = {
    ...fields,
    about: result as object,
    outcome: async () => {
      if (rows === undefined) throw new Error('the event is over');
      return shownRows(call, rows);
    },
  };
  try {
    yield event;
  } finally {
    rows = undefined;
    event.about = {};
  }
}

/** The rows as the caller may see them. Others share the outcome, so it doesn't end with this client. */
async function shownRows(
  { hidden, payer }: AuthorisedCall,
  { columns, rows, truncated }: ShownRows,
): Promise<CallOutcome> {
  const shown = await redactRows(await rows.all(), columns, hidden, never, payer.account);
  return { columns, truncated, rows: shown, bytes: sizeOfRows(shown) };
}

function failure(about: { readonly error: unknown }): LiveEvent {
  return { about, skipped: false, outcome: () => Promise.reject(about.error) };
}
