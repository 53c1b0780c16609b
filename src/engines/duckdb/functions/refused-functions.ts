const foreign = 'BigQuery has no such function';

/** Functions that the analyzer knows and the embedded engine lacks, with the reason. */
export const refusedFunctions: Readonly<Record<string, string>> = {
  'd3a_count.extract': foreign,
  'd3a_count.init': foreign,
  'd3a_count.merge': foreign,
  'd3a_count.merge_partial': foreign,
  'd3a_count.to_hll': foreign,
  array_first_n: foreign,
  array_last_n: foreign,
  array_remove_first_n: foreign,
  array_remove_last_n: foreign,
  timestamp_from_unix_micros: foreign,
  timestamp_from_unix_millis: foreign,
  timestamp_from_unix_seconds: foreign,
  iferror: foreign,
  iserror: foreign,
  nulliferror: foreign,
};

/** A function as named in a refusal: `the function HLL_COUNT.INIT: its sketches have ...`. */
export function refusedFunction(kind: string, key: string, label: string): string {
  const reason = Object.hasOwn(refusedFunctions, key) ? refusedFunctions[key] : undefined;
  return `the ${kind} ${label}${reason === undefined ? '' : `: ${reason}`}`;
}
