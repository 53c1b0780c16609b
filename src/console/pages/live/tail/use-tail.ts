import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { JsonObject } from '../../../api/json.ts';
import { sendCall } from '../../../parts/answer/answer.ts';
import {
  browserClock as clock,
  TailFollower,
  type TailListener,
  type TailStatus,
} from '../../../parts/live/tail-follower.ts';
import type { ParameterValues } from '../../../parts/parameters/parameter-values.ts';
import { type LogItem, logRow, type NewestItems, noItems, withItems } from '../rows/log-item.ts';
import { Rates } from '../rows/rates.ts';
import { WatchedResult } from './watched-result.ts';

/** What to watch. */
export interface TailCall {
  readonly endpoint: { readonly name: string };
  /** Undefined for the endpoint's own result. */
  readonly table: string | undefined;
  readonly values: ParameterValues;
  /** Filters in LQL; empty for none. */
  readonly lql: string;
}

export interface Tail<Watched> {
  readonly watched: Watched;
  /** Connects at once, if it waits to connect again. */
  retryNow(): void;
}

/** How many rows come first. */
const firstRows = 1000;

/** Watches the rows of a table as they arrive. */
export function useTail(client: Client, call: TailCall | undefined): Tail<WatchedRows> {
  return useWatched(client, call, newRows);
}

/** Watches the result of an endpoint. */
export function useResult(client: Client, call: TailCall | undefined): Tail<WatchedResult> {
  return useWatched(client, call, newResult);
}

const newRows = (draw: () => void) => new WatchedRows(clock.now, draw);
const newResult = (draw: () => void) => new WatchedResult(draw);

/**
 * Watches while it is shown. What has arrived is drawn once in each frame of the screen.
 *
 * @param make makes what keeps what arrives; always the same function
 */
function useWatched<Watched extends TailListener>(
  client: Client,
  call: TailCall | undefined,
  make: (draw: () => void) => Watched,
): Tail<Watched> {
  const [, setFrame] = useState(0);
  const frame = useRef<number | undefined>(undefined);
  const follower = useRef<TailFollower | undefined>(undefined);

  const draw = useCallback(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      setFrame((number) => number + 1);
    });
  }, []);
  const [watched, setWatched] = useState(() => make(draw));

  useEffect(() => {
    if (call === undefined) return;
    const ended = new AbortController();
    const listener = make(draw);
    setWatched(listener);
    const own = new TailFollower({
      open: (lastEventId, signal) => openTail(client, call, lastEventId, signal),
      listener,
      clock,
      random: Math.random,
    });
    follower.current = own;
    void own.follow(ended.signal);
    const onOnline = () => own.retryNow();
    addEventListener('online', onOnline);
    return () => {
      ended.abort();
      removeEventListener('online', onOnline);
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
      frame.current = undefined;
    };
  }, [client, call, draw, make]);

  return { watched, retryNow: useCallback(() => follower.current?.retryNow(), []) };
}

function openTail(
  client: Client,
  { endpoint, table, values, lql }: TailCall,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  return sendCall(
    client,
    { endpoint, values },
    {
      signal,
      accept: 'text/event-stream',
      headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
      more: {
        ...{ timestamps: 'iso', json: 'inline' },
        ...(table !== undefined && { tail: table, tail_rows: String(firstRows) }),
        ...(lql !== '' && { lql }),
      },
    },
  );
}

/** So many rows are kept, and fewer if they are large. */
export const limits = { items: 10_000, characters: 64_000_000 };

/** The rows and the state of a tail. */
export class WatchedRows implements TailListener {
  readonly #onChange: () => void;
  readonly #now: () => number;
  readonly rates = new Rates();
  #items: NewestItems = noItems;
  #number = 0;
  #received = 0;
  #status: TailStatus = { state: 'connecting' };
  #trouble: Failure | undefined;
  #hasBegun = false;

  /** @param onChange called after each change: often */
  constructor(now: () => number, onChange: () => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  get newest(): NewestItems {
    return this.#items;
  }

  /** How many rows have arrived. */
  get received(): number {
    return this.#received;
  }

  get stream(): TailStatus {
    return this.#status;
  }

  /** Why the last run has failed, if it has. */
  get failedRun(): Failure | undefined {
    return this.#trouble;
  }

  /** Whether the gateway has sent the existing rows. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  status(status: TailStatus): void {
    this.#status = status;
    this.#onChange();
  }

  rows(rows: readonly JsonObject[], characters: number): void {
    const now = this.#now();
    const each = Math.ceil(characters / Math.max(1, rows.length));
    const added = rows.map((row) => logRow(row, this.#next(), each));
    for (const { time, level } of added) this.rates.add(time, level.severity, now);
    // The gateway doesn't say whether there are older rows than those that come first.
    if (!this.#hasBegun) this.rates.loadedFrom(added.length === 0 ? now : earliest(added));
    this.#received += added.length;
    this.#trouble = undefined;
    this.#hasBegun = true;
    this.#add(added);
  }

  skipped(): void {
    this.#add([{ kind: 'gap', number: this.#next() }]);
  }

  trouble(failure: Failure): void {
    this.#trouble = failure;
    this.#onChange();
  }

  /** Forgets the rows that have arrived. */
  clear(): void {
    this.#items = noItems;
    this.rates.clear();
    this.rates.loadedFrom(this.#now());
    this.#onChange();
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  #add(items: readonly LogItem[]): void {
    this.#items = withItems(this.#items, items, limits);
    this.#onChange();
  }
}

function earliest(items: readonly { readonly time: number }[]): number {
  return items.reduce((least, { time }) => (time < least ? time : least), Number.POSITIVE_INFINITY);
}
