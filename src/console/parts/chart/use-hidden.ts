import { useMemo, useState } from 'preact/hooks';

/** The series of a chart that the user has hidden, by their keys. */
interface Hidden {
  readonly keys: ReadonlySet<string>;
  toggle(key: string): void;
  /** Hides all others; or shows all, if they are hidden already. */
  only(key: string, all: readonly string[]): void;
  showAll(): void;
}

export function useHidden(): Hidden {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      keys,
      toggle: (key) =>
        setKeys(new Set(keys.has(key) ? [...keys].filter((one) => one !== key) : [...keys, key])),
      only: (key, all) => {
        const others = all.filter((one) => one !== key);
        const isOnly = !keys.has(key) && others.every((one) => keys.has(one));
        setKeys(new Set(isOnly ? [] : others));
      },
      showAll: () => setKeys(new Set()),
    }),
    [keys],
  );
}
