import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../../api/client.ts';
import { sendCall } from '../../../parts/answer/answer.ts';
import type { ParameterValues } from '../../../parts/parameters/parameter-values.ts';
import { type TailClock, TailFollower } from './tail-follower.ts';
import { WatchedRows } from './watched-rows.ts';

/** A tail to watch. */
export interface TailCall {
  readonly endpoint: { readonly name: string };
  readonly table: string;
  readonly values: ParameterValues;
  /** Filters in LQL; empty for none. */
  readonly lql: string;
}

export interface Tail {
  readonly watched: WatchedRows;
  /** Connects at once, if it waits to connect again. */
  retryNow(): void;
}

/** How many rows come first. */
const firstRows = 1000;

const clock: TailClock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Watches a tail while it is shown. What has arrived is drawn once in each frame of the screen. */
export function useTail(client: Client, call: TailCall | undefined): Tail {
  const [, setFrame] = useState(0);
  const frame = useRef<number | undefined>(undefined);
  const follower = useRef<TailFollower | undefined>(undefined);

  const draw = useCallback(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      setFrame((number) => number + 1);
    });
  }, []);
  const [watched, setWatched] = useState(() => new WatchedRows(clock.now, draw));

  useEffect(() => {
    if (call === undefined) return;
    const ended = new AbortController();
    const listener = new WatchedRows(clock.now, draw);
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
  }, [client, call, draw]);

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
        ...{ tail: table, tail_rows: String(firstRows), timestamps: 'iso', json: 'inline' },
        ...(lql !== '' && { lql }),
      },
    },
  );
}
