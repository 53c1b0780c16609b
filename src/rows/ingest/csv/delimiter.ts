/** Separators, the preferred first. */
const delimiters = [',', ';', '\t', '|'];

/** The separator of a CSV file: the most frequent one in its header. */
export function delimiterOf(header: string): string {
  const plain = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => plain.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}
