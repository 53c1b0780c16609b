/** How sure it is that groups of digits are one number and not several. */
type Grouping = 'usual' | 'unusual' | 'none';

/** Digits in front of each gap, as cards print them: in groups of four, and of American Express as 4, 6 and 5. */
const printedGaps = [new Set([4, 8, 12, 16]), new Set([4, 10])];
const shortestWithGaps = 13;

/** Lengths that nearly all cards have. Only in numbers of these lengths are groups looked for that are not as printed. */
const commonLengths = new Set([15, 16]);
const smallestUnusualGroup = 4;

/**
 * How the digits of a possible card number are grouped. The usual way has gaps only where cards have them, two at least. The
 * unusual one has a single gap, or gaps elsewhere: two or three numbers beside each other look the same.
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

/** Whether no gap is missing either: groups of four and a rest, or four digits, six and a rest. */
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

/** Whether a point stands by itself, as in `4111.1111 1111.1111`. One is let pass where four groups of four are beyond doubt. */
function looksDecimal(sizes: readonly number[], separators: readonly string[]): boolean {
  const isPoint = (index: number) => separators[index] === '.';
  const alone = separators.filter((_, index) => isPoint(index) && !isPoint(index - 1) && !isPoint(index + 1));
  const allowed = sizes.length >= 4 && sizes.every((size) => size === 4) ? 1 : 0;
  return alone.length > allowed;
}
