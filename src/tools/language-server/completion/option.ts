/** What can be written at a place. */
export interface Option {
  readonly kind: 'table' | 'column' | 'record' | 'function' | 'keyword' | 'parameter' | 'key' | 'value';
  readonly label: string;
  /** Shown beside the label, such as the type. */
  readonly detail?: string | undefined;
  /** In Markdown. */
  readonly description?: string | undefined;
  /** The text to insert, if it is not the label. */
  readonly insert?: string;
}

/** What can be written at a place of a text, instead of the part of it that is written already. */
export interface Completions {
  /** Where that part begins: UTF-16 units from the start of the file. It ends at the place. */
  readonly from: number;
  readonly options: readonly Option[];
}
