/**
 * Runs in the page, before GraphiQL does, which would bring a JSON.parse of its own: one that keeps the digits of large
 * integers, but fails on large numbers with an exponent or a fraction, and with them on the whole answer.
 */
(() => {
  const parse = JSON.parse;

  /** Where the browser doesn't tell how a number was written, it is what JavaScript makes of it. */
  const withDigits = (_key, value, written) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(written?.source)
      ? BigInt(written.source)
      : value;

  Object.defineProperty(JSON, 'parse', {
    get: () => (text, reviver) => parse(text, reviver ?? withDigits),
    set() {},
  });
})();
