/** The beginnings of engines' messages, up to what they quote. */
const kinds = [
  ...['int64', 'double', 'float64', 'bool', 'numeric', 'bignumeric'].map((type) => `Bad ${type} value`),
  ...['timestamp', 'datetime', 'date', 'time', 'interval', 'JSON'].map((type) => `Invalid ${type}`),
  ...['int64', 'double', 'float64', 'numeric', 'bignumeric'].map((type) => `${type} overflow`),
  ...['Division by zero', 'Floating point overflow', 'Invalid input to PARSE_JSON', 'Failed to parse input'],
  ...['Scalar subquery produced more than one element', 'Cannot parse regular expression'],
  ...['int64 out of range', 'A value is out of the range of its type', 'Array index', 'Invalid cast'],
  ...['A value could not be converted', 'A function was given a value that it does not take'],
];

/** A description of a failure without anything that its message quotes: its words come from a fixed list. */
export function failureKind(sentence: string): string {
  const lower = sentence.toLowerCase();
  const kind = kinds.find((each) => lower.startsWith(each.toLowerCase()));
  return `The query failed on its data${kind === undefined ? '' : `: ${kind}`}.`;
}
