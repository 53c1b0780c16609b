import pLimit from 'p-limit';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../api/client.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { type Answer, runCall } from '../../../parts/answer/answer.ts';
import { useLoad } from '../../../parts/loading/use-load.ts';

/** Where queries of the page go. */
export interface Asked {
  readonly client: Client;
  readonly endpoint: Endpoint;
}

export interface AskedAnswer {
  /** The answer of the query, or of the one before it while it runs. */
  readonly answer: Answer | undefined;
  /** Whether the answer belongs to the query. */
  readonly isCurrent: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
}

/** A page asks for a few things at once: others wait, and none of them keeps other callers from being served. */
const inTurn = pLimit(3);

/** Runs a query when its text changes, and ends the one before. Undefined: nothing is to be run. */
export function useAnswer(
  { client, endpoint }: Asked,
  text: string | undefined,
  refresh: number,
): AskedAnswer {
  const { value, failure, isLoading, load, cancel } = useLoad<{
    readonly text: string;
    readonly answer: Answer;
  }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (text === undefined) return cancel();
    const call = { endpoint, values: new Map(), query: { language: 'sql', text } } as const;
    load((signal) =>
      inTurn(async () => {
        // It may have waited while another query took its place.
        signal.throwIfAborted();
        return { text, answer: await runCall(client, call, signal) };
      }),
    );
    // A new version of the list of endpoints is not another question.
  }, [client, endpoint.name, text, refresh, attempt]);
  return {
    answer: value?.answer,
    isCurrent: !isLoading && value !== undefined && value.text === text,
    failure,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
  };
}
