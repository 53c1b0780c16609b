import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Failure, failureIn, messageOf } from '../../api/failure.ts';
import { type JsonObject, parseJson } from '../../api/json.ts';
import { rowsIn } from '../answer/answer.ts';

interface Attempt {
  /** What the gateway asks for, in milliseconds. */
  readonly retryMs: number;
  /** How many attempts have failed in a row, from 1. */
  readonly failures: number;
  /** What the failed answer asks for. */
  readonly retryAfterSeconds: number | undefined;
  /** A number from 0 to below 1. */
  readonly random: number;
}

const maxMs = 30_000;

/**
 * Milliseconds until the next attempt. They double with each failure, and differ by up to a half, so that clients don't all
 * come at once. They are never less than the gateway asks for.
 */
function backoffMs({ retryMs, failures, retryAfterSeconds = 0, random }: Attempt): number {
  const doubled = Math.min(Math.max(maxMs, retryMs), retryMs * 2 ** (failures - 1));
  return Math.round(Math.max(doubled, retryAfterSeconds * 1000) * (1 + random / 2));
}

/** Receives the events of a tail. */
export interface TailListener {
  status(status: TailStatus): void;
  /** New rows, oldest first, or those of a result, and the length of their text. */
  rows(rows: readonly JsonObject[], characters: number): void;
  /** Rows were left out. */
  skipped(): void;
  /** A run has failed. The next one may succeed. */
  trouble(failure: Failure): void;
}

interface TailClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs something later, unless it is cancelled. */
  after(milliseconds: number, run: () => void): { cancel(): void };
}

export const browserClock: TailClock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};

interface TailParts {
  /** Asks for the stream. @throws Failure; the signal's reason when it is aborted */
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly listener: TailListener;
  readonly clock: TailClock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/** The gateway sends a sign of life each 15 seconds. A stream that is silent for longer is dead. */
const maxSilentMs = 45_000;
/** Until the gateway tells another time. */
const firstRetryMs = 1_000;
/** A key that has ended is refused at once, so that the user is asked for another one. */
const refusedMs = 100;

const transient: ReadonlySet<string> = new Set([
  ...['OFFLINE', 'RATE_LIMITED', 'OVERLOADED', 'BACKEND_UNAVAILABLE', 'QUERY_TIMEOUT'],
  // Of proxies.
  ...['HTTP_502', 'HTTP_503', 'HTTP_504'],
]);

/**
 * Follows a tail, or a live answer, over all its connections: after each end it connects again, from the last event on, until something has
 * failed that will fail again.
 */
export class TailFollower {
  readonly #parts: TailParts;
  #lastEventId: string | undefined;
  #retryMs = firstRetryMs;
  #failures = 0;
  #hurry: (() => void) | undefined;

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  /** Returns when the tail has ended, or the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { listener, clock } = this.#parts;
    for (;;) {
      listener.status({ state: 'connecting' });
      const failure = await this.#connect(signal);
      if (signal.aborted) return;
      const isRefused = failure !== undefined && isRefusal(failure);
      if (failure !== undefined && !isRefused && !transient.has(failure.facts.code)) {
        listener.status({ state: 'ended', failure });
        return;
      }
      this.#failures += 1;
      const milliseconds = isRefused ? refusedMs : this.#delay(failure);
      listener.status({ state: 'waiting', until: clock.now() + milliseconds, failure });
      await this.#wait(milliseconds, signal);
      if (signal.aborted) return;
    }
  }

  /** Connects at once, if it waits. */
  retryNow(): void {
    this.#hurry?.();
  }

  /** Reads a connection to its end. Returns why it has ended; undefined if the gateway has closed it. */
  async #connect(signal: AbortSignal): Promise<Failure | undefined> {
    const { open, listener, clock } = this.#parts;
    const connection = new AbortController();
    let last: Failure | undefined;
    const parser = createParser({
      onRetry: (milliseconds) => {
        this.#retryMs = milliseconds;
      },
      onEvent: (event) => {
        last ??= this.#take(event);
      },
    });
    let watch: { cancel(): void } | undefined;
    try {
      const response = await open(this.#lastEventId, AbortSignal.any([signal, connection.signal]));
      const texts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      if (texts === undefined) return lost();
      listener.status({ state: 'live' });
      while (last === undefined) {
        watch = clock.after(maxSilentMs, () => connection.abort());
        // A connection that breaks rejects with an error without details.
        const { value } = await texts.read().catch(() => ({ value: lost() }));
        watch?.cancel();
        if (value === undefined || signal.aborted) return undefined;
        if (value instanceof Failure) return value;
        parser.feed(value);
      }
      return last;
    } catch (thrown) {
      if (signal.aborted) return undefined;
      if (thrown instanceof Failure) return thrown;
      const reason = messageOf(thrown);
      return new Failure(`The console can\u2019t read the stream: ${reason}`, {
        code: 'BAD_ANSWER',
        status: 200,
      });
    } finally {
      watch?.cancel();
      connection.abort();
    }
  }

  /** Returns the failure after which the stream ends, if the event has one. */
  #take({ event, id, data }: EventSourceMessage): Failure | undefined {
    const { listener } = this.#parts;
    if (id !== undefined) this.#lastEventId = id;
    if (event === 'rows' || event === 'result') {
      this.#failures = 0;
      listener.rows(rowsIn(parseJson(data)), data.length);
    } else if (event === 'skipped') listener.skipped();
    else if (event === 'error') {
      const body = parseJson(data);
      const failure = failureIn(body, { status: 200 });
      if (typeof body === 'object' && body !== null && 'final' in body && body.final === true) return failure;
      listener.trouble(failure);
    }
    return undefined;
  }

  #delay(failure: Failure | undefined): number {
    return backoffMs({
      retryMs: this.#retryMs,
      failures: this.#failures,
      retryAfterSeconds: failure?.facts.retryAfter,
      random: this.#parts.random(),
    });
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#parts.clock.after(milliseconds, done);
      signal.addEventListener('abort', done, { once: true });
      this.#hurry = done;
      function done() {
        timer.cancel();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}

/** Whether a stream that had begun has ended because of its key. Asked for once more, the gateway says so by its status. */
function isRefusal({ facts: { code, status } }: Failure): boolean {
  return code === 'UNAUTHENTICATED' && status === 200;
}

function lost(): Failure {
  return new Failure('The connection was lost.', { code: 'OFFLINE', status: 0 });
}

/** How it is with the stream of a tail. */
export type TailStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** It connects again at this time, in milliseconds since the epoch. Without a failure, the gateway has ended it. */
  | { readonly state: 'waiting'; readonly until: number; readonly failure: Failure | undefined }
  /** It does not connect again by itself. */
  | { readonly state: 'ended'; readonly failure: Failure };
