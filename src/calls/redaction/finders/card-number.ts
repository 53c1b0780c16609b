import creditCardType from 'credit-card-type';

interface Issuer {
  readonly lengths: ReadonlySet<number>;
  /** Ranges of first digits. */
  readonly prefixes: readonly (readonly [string, string])[];
}

const issuers: readonly Issuer[] = Object.values(creditCardType.types).map((name) => {
  const { lengths, patterns } = creditCardType.getTypeInfo(name);
  const prefixes = patterns.map((pattern) => {
    const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : pattern;
    return [String(from), String(to)] as const;
  });
  return { lengths: new Set(lengths), prefixes };
});

/** Whether digits are a card number: of a known issuer, in a length that the issuer uses, with a valid check digit. */
export function isCardNumber(digits: string): boolean {
  return isCheckDigitValid(digits) && isIssued(digits);
}

/** ISO/IEC 7812-1, annex B (Luhn). */
function isCheckDigitValid(digits: string): boolean {
  let sum = 0;
  for (let place = 1; place <= digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - place) - 0x30;
    const weighted = place % 2 === 0 ? 2 * digit : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function isIssued(digits: string): boolean {
  return issuers.some(
    ({ lengths, prefixes }) =>
      lengths.has(digits.length) &&
      prefixes.some(([from, to]) => digits.slice(0, from.length) >= from && digits.slice(0, to.length) <= to),
  );
}
