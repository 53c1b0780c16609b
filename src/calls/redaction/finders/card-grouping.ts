/** The confidence that groups of digits are one number. */
type Grouping = 'usual' | 'unusual' | 'none';

/** Numbers of digits before each gap on printed cards: groups of four, or 4, 6 and 5 for American Express. */
const printedGaps = [new Set([4, 8, 12, 16]), new Set([4, 10])];
const shortestWithGaps = 13;

/** Lengths of nearly all cards. Only these are also recognised with gaps that differ from printed ones. */
const commonLengths = new Set([15, 16]);
const smallestUnusualGroup = 4;

/**
 * Classifies the grouping of a possible card number. The usual grouping has gaps only where printed cards have them,
 * and at least two. An unusual one has a single gap, or gaps elsewhere: two or three adjacent numbers look the same.
 *
 * @param sizes digits in each group
 * @param separators the texts between them
 */
export function groupingOf(sizes: readonly number[], separators: readonly string[]): Grouping {
  const length = sizes.reduce((sum, size) => sum + size, 0);
  const isCommon = commonLengths.has(length);
  const isDotted = separators.includes('.');
  if (length < shortestWithGaps || looksDecimal(sizes, separators)) return 'none';
  if (!isCommon) return !isDotted && isPrinted(sizes) ? 'usual' : 'none';
  if (printedGaps.some((gaps) => areGapsWithin(gaps, sizes))) return sizes.length > 2 ? 'usual' : 'unusual';
  return sizes.length > 2 && !isDotted && Math.min(...sizes) >= smallestUnusualGroup ? 'unusual' : 'none';
}

/** Whether all gaps are present: groups of four and a rest, or four digits, six and a rest. */
function isPrinted(sizes: readonly number[]): boolean {
  const [first, second] = sizes;
  if (sizes.length > 5) return false;
  return sizes.length === 3 && second === 6 ? first === 4 : sizes.slice(0, 3).every((size) => size === 4);
}

function areGapsWithin(gaps: ReadonlySet<number>, sizes: readonly number[]): boolean {
  let digits = 0;
  return sizes.slice(0, -1).every((size) => {
    digits += size;
    return gaps.has(digits);
  });
}

/**
 * Whether there is an isolated decimal point, as in `4111.1111 1111.1111`. One is allowed in four groups of four, which
 * are unambiguous.
 */
function looksDecimal(sizes: readonly number[], separators: readonly string[]): boolean {
  const isPoint = (index: number) => separators[index] === '.';
  const alone = separators.filter((_, index) => isPoint(index) && !isPoint(index - 1) && !isPoint(index + 1));
  const allowed = sizes.length >= 4 && sizes.every((size) => size === 4) ? 1 : 0;
  return alone.length > allowed;
}
