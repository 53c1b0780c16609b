/** How the aggregations of a query can be made. */
export interface SliceFacts {
  /** The tables of those that are merged from slices, if there are enough rows. */
  readonly merged: readonly string[];
  /** Those that are computed from all rows each time. */
  readonly others: readonly UnslicedAggregation[];
}

interface UnslicedAggregation {
  /** What can't be merged. */
  readonly construct: string;
  /** Where it is in the endpoint's file or the caller's text, if it is there. */
  readonly line?: number;
  readonly column?: number;
}

/** The facts as sentences. */
export function sliceSentences({ merged, others }: SliceFacts): string[] {
  return [
    ...merged.map((table) => `merged from slices of ${table}`),
    ...others.map(({ construct, line, column }) => {
      const at = line === undefined ? '' : ` at ${line}:${column}`;
      return `not merged from slices: ${construct}${at}`;
    }),
  ];
}
