import { authoriseTables } from '../../access/authorise.ts';
import { confinedError } from '../../access/confined-error.ts';
import { never } from '../../async/race-with-abort.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { GatewayError } from '../../errors.ts';
import type { ExecutorResult } from '../../executor/executor.ts';
import { noteEndpoint } from '../../http/request-log-fields.ts';
import { longestLiveSeconds, mostTailRows } from '../../live/limits.ts';
import type { LiveCall } from '../../live/live-results.ts';
import type { TailCall } from '../../live/live-tails.ts';
import type { Watcher } from '../../live/watchers.ts';
import { hiddenClasses, type PiiClass } from '../../redaction/pii-class.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { redactRows } from '../../redaction/redact-result.ts';
import type { GraphqlContext, Subscribing } from '../context.ts';
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

function watcherOf(context: GraphqlContext, seconds: number): Watcher {
  const { signal, fail } = subscribing(context);
  return { caller: context.caller, intervalMs: seconds * 1000, signal, fail };
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
  call: LiveCall,
  { live, isAsked }: { readonly live: unknown; readonly isAsked: boolean },
): AsyncGenerator<LiveEvent> {
  const { results } = subscribing(context);
  const { endpoint } = call;
  const shown = showing(context, endpoint, isAsked);
  const watcher = watcherOf(context, intervalSeconds(endpoint, live));
  for await (const outcome of await results.watch(call, watcher)) {
    if ('error' in outcome) yield failure(outcome, outcome.error, shown);
    else {
      yield* emptied(outcome.result, { skipped: false }, shown);
    }
  }
}

/** The rows of a table as they arrive. */
export async function* liveTail(
  context: GraphqlContext,
  call: TailCall,
  isAsked: boolean,
): AsyncGenerator<LiveEvent> {
  const { tails, lastEventId } = subscribing(context);
  const { endpoint, rows, table } = call;
  authoriseTables(context.keyHolder, [table]);
  if (rows < 0 || rows > mostTailRows) {
    const message = `Argument "last": expected a number from 0 to ${mostTailRows}, got ${rows}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'last' });
  }
  const shown = showing(context, endpoint, isAsked);
  const watcher = watcherOf(context, endpoint.liveSeconds);
  let skipped = false;
  for await (const event of await tails.watch({ ...call, after: call.after ?? lastEventId }, watcher)) {
    if (event.kind === 'error') yield failure(event, event.error, shown);
    else if (event.kind === 'skipped') skipped = true;
    else {
      yield* emptied(event.rows, { id: event.cursor, skipped }, shown);
      skipped = false;
    }
  }
}

/** Yields an event once. Those who iterate hold what they got until they get more: its rows are removed. */
function* emptied(
  result: ShownRows,
  fields: Pick<LiveEvent, 'id' | 'skipped'>,
  shown: Showing,
): Generator<LiveEvent, void> {
  let rows: ShownRows | undefined = result;
  const event = {
    ...fields,
    about: result as object,
    outcome: async () => {
      if (rows === undefined) throw new Error('the event is over');
      return shown.rows(rows);
    },
  };
  try {
    yield event;
  } finally {
    rows = undefined;
    event.about = {};
  }
}

type ShownRows = Pick<ExecutorResult, 'columns' | 'rows' | 'truncated'>;

interface Showing {
  rows(result: ShownRows): Promise<CallOutcome>;
  error(thrown: unknown): unknown;
}

/** What the caller may see. */
function showing(context: GraphqlContext, endpoint: Endpoint, isAsked: boolean): Showing {
  const { keyHolder, logFields, redactPii } = context;
  const hidden: readonly PiiClass[] = hiddenClasses(endpoint, redactPii || isAsked);
  noteEndpoint(logFields, endpoint.name);
  return {
    // Others share the outcome, so it doesn't end with this client.
    async rows({ columns, rows, truncated }) {
      const shown = await redactRows(await rows.all(), columns, hidden, never);
      return { columns, truncated, rows: shown, bytes: sizeOfRows(shown) };
    },
    error: (thrown) => redactedError(confinedError(thrown, keyHolder), hidden),
  };
}

function failure(about: object, error: unknown, shown: Showing): LiveEvent {
  return { about, skipped: false, outcome: () => Promise.reject(shown.error(error)) };
}
