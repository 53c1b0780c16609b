import type { ReadyCase } from './load-tests.ts';

/** Whether two cases have the same rows: lists that are shared are the same objects. */
export function haveSameRows(a: ReadyCase['rows'], b: ReadyCase['rows']): boolean {
  return (
    a.length === b.length &&
    a.every(({ parts }, index) => {
      const others = b[index]?.parts ?? [];
      return parts.length === others.length && parts.every((part, i) => part === others[i]);
    })
  );
}
