/** A table of a page. The first column holds texts, the others numbers. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What the page says of a part. All sentences are made from its numbers. */
export interface Section {
  /** One sentence on what the plot shows. */
  readonly shown: string;
  /** An SVG document, and a text for those who don't see it. */
  readonly plot: { readonly svg: string; readonly alternative: string };
  /** What the numbers say. */
  readonly results: readonly string[];
  /** Where others are faster, or what the gateway's way costs. */
  readonly lost: readonly string[];
  readonly table: Table;
  /** How it was measured, what was proved meanwhile, and what the ranges are. */
  readonly method: readonly string[];
}
