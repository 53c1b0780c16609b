import { useRef } from 'preact/hooks';

/** The value as it was when it was frozen; the present one otherwise, and when the key has changed. */
export function useFrozen<T>(value: T, isFrozen: boolean, key: unknown): T {
  const kept = useRef({ value, key });
  if (!isFrozen || kept.current.key !== key) kept.current = { value, key };
  return kept.current.value;
}
