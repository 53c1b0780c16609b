import type { Source } from '../../sources/source.ts';

/** How a source takes events: see docs/endpoints.md, "Settings of a source". */
export interface EventSettings {
  /** Other names of the source. */
  readonly aliases?: readonly string[];
  readonly unknownFields?: 'reject' | 'ignore' | 'add';
  /** Paths in an event: the first that it has contains its time. By default `timestamp`, `time` and `@timestamp`. */
  readonly timestamp?: readonly string[];
  /** Fields that are renamed or moved, in this order. */
  readonly rename?: readonly { readonly from: string; readonly to: string }[];
}

/** A source with its settings for events. */
export type EventSource = Source & EventSettings;

/** The source with this name or alias, in the same letter case. */
export function eventSource(sources: readonly EventSource[], nameOrAlias: string): EventSource | undefined {
  return sources.find(({ name, aliases }) => name === nameOrAlias || aliases?.includes(nameOrAlias));
}
