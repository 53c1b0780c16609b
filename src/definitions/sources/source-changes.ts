import { isDeepStrictEqual } from 'node:util';
import { columnChanges } from './column-changes.ts';
import type { Source } from './source.ts';

/** The differences between two sets of sources, a text each: `added a`, `changed b (added metadata.region STRING)`. */
export function sourceChanges(before: readonly Source[], after: readonly Source[]): string[] {
  const old = new Map(before.map((source) => [source.name, source]));
  const names = new Set(after.map(({ name }) => name));
  const removed = before.filter(({ name }) => !names.has(name)).map(({ name }) => `removed ${name}`);
  const others = after.flatMap((source) => {
    const earlier = old.get(source.name);
    if (earlier === undefined) return [`added ${source.name}`];
    if (isDeepStrictEqual(earlier, source)) return [];
    const columns = columnChanges(earlier.columns, source.columns);
    return [`changed ${source.name}${columns.length === 0 ? '' : ` (${columns.join(', ')})`}`];
  });
  return [...others, ...removed];
}
