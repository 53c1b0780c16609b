import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isAbort } from '../../api/client.ts';

/** Something that is loaded from the gateway. The previous value stays until the next one is there. */
export interface Loaded<T> {
  readonly value: T | undefined;
  /** After a failure, the value that there was before it. */
  readonly earlier: T | undefined;
  readonly failure: unknown;
  readonly isLoading: boolean;
  /** Loads, and ends what is being loaded. */
  load(task: (signal: AbortSignal) => Promise<T>): void;
  cancel(): void;
}

/** Loads one thing at a time, until the component goes. */
export function useLoad<T>(): Loaded<T> {
  const [state, setState] = useState<Pick<Loaded<T>, 'value' | 'earlier' | 'failure' | 'isLoading'>>({
    value: undefined,
    earlier: undefined,
    failure: undefined,
    isLoading: false,
  });
  const controller = useRef<AbortController | undefined>(undefined);

  const cancel = useCallback(() => {
    controller.current?.abort();
    controller.current = undefined;
    setState((before) => ({ ...before, isLoading: false }));
  }, []);

  const load = useCallback((task: (signal: AbortSignal) => Promise<T>) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setState((before) => ({ ...before, failure: undefined, isLoading: true }));
    task(own.signal).then(
      (value) => {
        if (controller.current === own)
          setState({ value, earlier: undefined, failure: undefined, isLoading: false });
      },
      (failure: unknown) => {
        if (controller.current !== own || isAbort(failure)) return;
        setState(({ value, earlier = value }) => ({ value: undefined, earlier, failure, isLoading: false }));
      },
    );
  }, []);

  useEffect(() => () => controller.current?.abort(), []);
  return { ...state, load, cancel };
}

/** Draws the component once a second. Returns the seconds since it was first drawn. */
export function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setSeconds(Math.round((performance.now() - start) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
