import { useEffect, useState } from 'preact/hooks';
import { type Client, isAbort } from '../../api/client.ts';
import { parseOperations } from '../../api/operations.ts';
import { type Snapshot, withSnapshot } from './snapshots.ts';

const pauseMs = 5_000;

interface PolledOperations {
  /** In the order of time. */
  readonly snapshots: readonly Snapshot[];
  /** Why the latest attempt failed; undefined if it did not. */
  readonly failure: unknown;
  readonly retry: () => void;
}

/** Asks the gateway again and again how it is doing, while the page is in view. */
export function useOperations(client: Client): PolledOperations {
  const [snapshots, setSnapshots] = useState<readonly Snapshot[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };

    async function poll() {
      try {
        if (!document.hidden) {
          const operations = parseOperations(await client.json('/api/operations', { signal }));
          setSnapshots((before) => withSnapshot(before, { at: Date.now(), operations }));
          setFailure(undefined);
        }
      } catch (thrown) {
        if (isAbort(thrown)) return;
        setFailure(thrown);
      }
      if (!signal.aborted) timer = setTimeout(poll, pauseMs);
    }
  }, [client, attempt]);

  return { snapshots, failure, retry: () => setAttempt((number) => number + 1) };
}
