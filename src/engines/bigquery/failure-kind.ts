/** How sentences of BigQuery's begin, up to what they quote. */
const kinds = [
  ...['int64', 'double', 'float64', 'bool', 'numeric', 'bignumeric'].map((type) => `Bad ${type} value`),
  ...['timestamp', 'datetime', 'date', 'time', 'interval', 'JSON'].map((type) => `Invalid ${type}`),
  ...['int64', 'float64', 'numeric', 'bignumeric'].map((type) => `${type} overflow`),
  ...['Division by zero', 'Floating point overflow', 'Invalid input to PARSE_JSON', 'Failed to parse input'],
  ...['Scalar subquery produced more than one element', 'Cannot parse regular expression'],
];

/** What a failure is about, without anything that its sentence may quote: the words are of a list, not of the sentence. */
export function failureKind(sentence: string): string {
  const lower = sentence.toLowerCase();
  const kind = kinds.find((each) => lower.startsWith(each.toLowerCase()));
  return `The query failed on its data${kind === undefined ? '' : `: ${kind}`}.`;
}
