import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import type { JsonObject } from '../../api/json.ts';
import { type Call, runCall, sendCall } from '../../parts/answer/answer.ts';
import { browserClock, TailFollower } from '../../parts/live/tail-follower.ts';
import { useLoad } from '../../parts/loading/use-load.ts';
import { useVisible } from './use-clock.ts';

/** The rows of a panel. */
export interface PanelRows {
  readonly rows: readonly JsonObject[] | undefined;
  readonly isTruncated: boolean;
  readonly failure: unknown;
  /** Whether the rows are those of an earlier call, or none have come. */
  readonly isOutdated: boolean;
  retry(): void;
}

interface RowsOfCall {
  readonly key: string;
  readonly rows: readonly JsonObject[];
  readonly isTruncated: boolean;
}

interface Following {
  /** Each one asks again. */
  readonly turn: number;
  /** Whether the gateway sends the rows whenever they have changed. */
  readonly isLive: boolean;
}

/** Loads the rows of a call, and again with each turn, or follows its live answer. @param call undefined calls nothing */
export function useRows(client: Client, call: Call | undefined, { turn, isLive }: Following): PanelRows {
  const key = call && JSON.stringify([call.endpoint.name, [...call.values], call.query]);
  const [attempt, setAttempt] = useState(0);
  const { load, ...asked } = useLoad<RowsOfCall>();
  const live = useLive(client, isLive ? call : undefined, key, attempt);
  useEffect(() => {
    if (call === undefined || key === undefined || isLive) return;
    load(async (signal) => {
      const { rows, facts } = await runCall(client, call, signal);
      return { key, rows, isTruncated: facts.truncated };
    });
  }, [client, key, isLive, isLive ? 0 : turn, attempt, load]);
  const newest = isLive ? (live.value ?? asked.value) : (asked.value ?? live.value);
  return {
    rows: newest?.rows,
    isTruncated: newest?.isTruncated ?? false,
    failure: isLive ? live.failure : asked.failure,
    isOutdated: newest?.key !== key,
    retry: () => setAttempt((number) => number + 1),
  };
}

interface LiveRows {
  readonly value: RowsOfCall | undefined;
  readonly failure: unknown;
}

function useLive(client: Client, call: Call | undefined, key: string | undefined, attempt: number): LiveRows {
  const isVisible = useVisible();
  const [state, setState] = useState<LiveRows>({ value: undefined, failure: undefined });
  useEffect(() => {
    if (call === undefined || key === undefined || !isVisible) return;
    const ended = new AbortController();
    const fail = (failure: unknown) => setState((before) => ({ ...before, failure }));
    const follower = new TailFollower({
      open: (_, signal) => sendCall(client, call, { signal, accept: 'text/event-stream' }),
      listener: {
        status: (status) => status.state === 'ended' && fail(status.failure),
        rows: (rows) => setState({ value: { key, rows, isTruncated: false }, failure: undefined }),
        skipped() {},
        trouble: fail,
      },
      clock: browserClock,
      random: Math.random,
    });
    void follower.follow(ended.signal);
    return () => ended.abort();
  }, [client, key, isVisible, attempt]);
  return state;
}
