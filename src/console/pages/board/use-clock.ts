import { useCallback, useEffect, useState } from 'preact/hooks';

/** Whether the page can be seen: a tab behind others asks for nothing. */
export function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const onChange = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return isVisible;
}

/** The time of a board, and how often it was told to load again. */
export interface BoardClock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly turn: number;
  next(): void;
}

/** @param seconds after which the next turn comes by itself, while the page can be seen; undefined for never */
export function useClock(seconds: number | undefined): BoardClock {
  const isVisible = useVisible();
  const [state, setState] = useState(() => ({ now: Date.now(), turn: 0 }));
  const next = useCallback(() => setState(({ turn }) => ({ now: Date.now(), turn: turn + 1 })), []);
  useEffect(() => {
    if (seconds === undefined || !isVisible) return;
    const timer = setTimeout(next, Math.max(0, state.now + seconds * 1000 - Date.now()));
    return () => clearTimeout(timer);
  }, [seconds, isVisible, state, next]);
  return { ...state, next };
}
