const symbols: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** The Roman numeral of an integer from 1 to 3999. Undefined for others. */
export function romanNumeral(value: bigint): string | undefined {
  if (value < 1n || value > 3999n) return undefined;
  let rest = Number(value);
  let numeral = '';
  for (const [worth, symbol] of symbols) {
    const count = Math.floor(rest / worth);
    numeral += symbol.repeat(count);
    rest -= count * worth;
  }
  return numeral;
}
