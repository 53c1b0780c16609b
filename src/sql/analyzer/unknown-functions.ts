/** Functions of BigQuery that neither the analyzer nor DuckDB has, with the reason. A star stands for any ending. */
export const unknownFunctions: readonly { readonly names: readonly string[]; readonly reason: string }[] = [
  {
    names: ['AEAD.*', 'KEYS.*', 'DETERMINISTIC_*', 'DLP_*'],
    reason: "encryption: keys are kept by Google's services",
  },
  {
    names: ['ML.*', 'AI.*', 'VECTOR_SEARCH', 'BAG_OF_WORDS', 'TF_IDF', 'TEXT_ANALYZE', 'SEARCH'],
    reason: 'models, indexes and text analyzers are parts of BigQuery',
  },
  {
    names: ['OBJ.*', 'EXTERNAL_OBJECT_TRANSFORM', 'APPENDS', 'CHANGES'],
    reason: 'a query can read only its tables',
  },
];

const patterns = unknownFunctions.flatMap(({ names, reason }) =>
  names.map((name) => ({
    pattern: new RegExp(`^${name.replace('.', '\\.').replace('*', '\\w+')}$`, 'i'),
    reason,
  })),
);

/** Why a function is refused. Undefined for one that BigQuery doesn't have either. */
export function reasonToRefuse(name: string): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(name))?.reason;
}
