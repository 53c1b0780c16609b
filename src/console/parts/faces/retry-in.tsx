import { useEffect } from 'preact/hooks';
import { useSeconds } from '../loading/use-load.ts';

interface RetryInProps {
  /** What the gateway asks to wait, in seconds. */
  readonly seconds: number;
  readonly onRetry: () => void;
}

/** Tries again when the gateway has asked to, and says when that is. */
export function RetryIn({ seconds, onRetry }: RetryInProps) {
  const left = Math.max(0, Math.ceil(seconds) - useSeconds());
  useEffect(() => {
    if (left === 0) onRetry();
  }, [left === 0]);
  return <p class="quiet">The next attempt is in {left} s.</p>;
}
