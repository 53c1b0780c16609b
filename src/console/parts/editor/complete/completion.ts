import type { Table } from '../../schema/field.ts';

/** What the names in a query can mean. */
export interface Names {
  readonly tables: readonly Table[];
  /** Names of functions. */
  readonly functions: readonly string[];
  /** Names of the endpoint's parameters. */
  readonly parameters: readonly string[];
}

export interface Option {
  readonly kind: 'table' | 'column' | 'record' | 'function' | 'keyword' | 'parameter' | 'operator' | 'value';
  readonly label: string;
  /** Shown beside the label. */
  readonly detail?: string | undefined;
  /** The text to insert, if it is not the label. */
  readonly insert?: string | undefined;
  /** Whether the user goes on to complete what comes after it. */
  readonly goesOn?: boolean | undefined;
}

/** What can stand at a place of a text. */
export interface Completions {
  /** Where the part that the options replace begins. It ends at the place. */
  readonly from: number;
  readonly options: readonly Option[];
}
