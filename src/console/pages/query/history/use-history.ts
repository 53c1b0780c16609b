import { useCallback, useEffect, useState } from 'preact/hooks';
import { dropRuns, type HistoryPlace, keepRun, keptRuns, placeOf } from './kept-runs.ts';
import type { Run } from './runs.ts';

export interface History {
  readonly runs: readonly Run[];
  /** Whether it stays when the tab is closed. */
  readonly isOnDevice: boolean;
  remember(run: Run): void;
  clear(): void;
}

/** The queries that were run with a key. */
export function useHistory(key: string): History {
  const [place, setPlace] = useState<HistoryPlace & { readonly isOnDevice: boolean }>();
  const [runs, setRuns] = useState<readonly Run[]>([]);
  useEffect(() => {
    void placeOf(key, { device: localStorage, tab: sessionStorage }).then(setPlace);
  }, [key]);
  useEffect(() => {
    if (place === undefined) return;
    const read = () => setRuns(keptRuns(place));
    read();
    // What other tabs have run.
    addEventListener('storage', read);
    return () => removeEventListener('storage', read);
  }, [place]);
  const remember = useCallback(
    (run: Run) => {
      // A key that was pasted into a query or a field is not to be found on the device.
      if (place === undefined || JSON.stringify([run.question, [...run.question.values]]).includes(key))
        return;
      keepRun(place, run);
      setRuns(keptRuns(place));
    },
    [place, key],
  );
  const clear = useCallback(() => {
    if (place !== undefined) dropRuns(place);
    setRuns([]);
  }, [place]);
  return { runs, isOnDevice: place?.isOnDevice ?? false, remember, clear };
}
