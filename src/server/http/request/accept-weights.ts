/** Returns the weight of each item of an `Accept` or `Accept-Encoding` header. Source: RFC 9110, section 12.4.2. */
export function acceptWeights(header = ''): ReadonlyMap<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
      }),
  );
}
