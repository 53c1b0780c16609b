import type { KnownNames } from './scope.ts';

/** What the names in a query can mean. */
export interface Names extends KnownNames {
  readonly functions: readonly Described[];
  readonly parameters: readonly Described[];
}

/** A name with what is shown of it. */
export interface Described {
  readonly name: string;
  /** Shown beside the name, such as the type. */
  readonly detail?: string | undefined;
  /** In Markdown. */
  readonly description?: string | undefined;
}

/** The kinds of options. Those that are more often meant come first. */
export const optionKinds = [
  'column',
  'record',
  'parameter',
  'table',
  'key',
  'value',
  'operator',
  'function',
  'keyword',
] as const;

/** What can be written at a place. */
export interface Option {
  readonly kind: (typeof optionKinds)[number];
  readonly label: string;
  /** Shown beside the label, such as the type. */
  readonly detail?: string | undefined;
  /** In Markdown. */
  readonly description?: string | undefined;
  /** The text to insert, if it is not the label. */
  readonly insert?: string | undefined;
  /** Whether more can be completed directly after it. */
  readonly goesOn?: boolean | undefined;
}

/** What can be written at a place of a text, instead of the part of it that is written already. */
export interface Completions {
  /** Where that part begins, in UTF-16 units. It ends at the place. */
  readonly from: number;
  readonly options: readonly Option[];
}
