import { canonicalText, type JsonObject } from '../../../base/text/exact-json.ts';
import { differingColumns, rowMatches } from './row-differences.ts';

/** An expected row beside the actual row that is closest to it. One of them is absent if nothing is left for the other. */
export interface RowPair {
  readonly expected?: JsonObject;
  readonly actual?: JsonObject;
  readonly isSame: boolean;
}

interface Comparison {
  readonly ordered: boolean;
  readonly partial: boolean;
}

/** More pairs of rows than this aren't compared each with each: rows then pair by their position. */
const maxComparisons = 250_000;

/** Pairs expected with actual rows, so that as many as possible are the same. */
export function pairRows(
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
  { ordered, partial }: Comparison,
): RowPair[] {
  if (expected.length * actual.length > maxComparisons && ordered) {
    return sideBySide(expected, actual, partial);
  }
  return ordered ? inOrder(expected, actual, partial) : inAnyOrder(expected, actual, partial);
}

function sideBySide(
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
  partial: boolean,
): RowPair[] {
  const length = Math.max(expected.length, actual.length);
  return Array.from({ length }, (_, index) => pairOf(expected[index], actual[index], partial));
}

function pairOf(expected: JsonObject | undefined, actual: JsonObject | undefined, partial: boolean): RowPair {
  const isSame = expected !== undefined && actual !== undefined && rowMatches(expected, actual, partial);
  return { ...(expected && { expected }), ...(actual && { actual }), isSame };
}

/** By their longest common subsequence. Rows between two common ones pair by position. */
function inOrder(
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
  partial: boolean,
): RowPair[] {
  const width = actual.length + 1;
  const same = (row: number, column: number) =>
    rowMatches(expected[row] as JsonObject, actual[column] as JsonObject, partial);
  // The length of the longest common subsequence of the rows from these indexes on.
  const lengths = new Uint32Array((expected.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = expected.length - 1; row >= 0; row--) {
    for (let column = actual.length - 1; column >= 0; column--) {
      lengths[row * width + column] = same(row, column)
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: RowPair[] = [];
  let missing: JsonObject[] = [];
  let surplus: JsonObject[] = [];
  const flush = () => {
    pairs.push(...sideBySide(missing, surplus, partial));
    missing = [];
    surplus = [];
  };
  let row = 0;
  let column = 0;
  while (row < expected.length || column < actual.length) {
    const [left, right] = [expected[row], actual[column]];
    if (left !== undefined && right !== undefined && same(row, column)) {
      flush();
      pairs.push({ expected: left, actual: right, isSame: true });
      row++;
      column++;
    } else if (
      right === undefined ||
      (left !== undefined && lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    ) {
      missing.push(left as JsonObject);
      row++;
    } else {
      surplus.push(right);
      column++;
    }
  }
  flush();
  return pairs;
}

function inAnyOrder(
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
  partial: boolean,
): RowPair[] {
  const actualOf = partial ? matchedParts(expected, actual) : matchedRows(expected, actual);
  const taken = new Set(actualOf.values());
  const left = new Set([...actual.keys()].filter((index) => !taken.has(index)));
  const isShort = left.size * (expected.length - taken.size) <= maxComparisons;
  const pairs = expected.map((row, index): RowPair => {
    const found = actualOf.get(index);
    if (found !== undefined) return { expected: row, actual: actual[found] as JsonObject, isSame: true };
    const closest = isShort ? closestOf(row, actual, left, partial) : undefined;
    if (closest === undefined) return { expected: row, isSame: false };
    left.delete(closest);
    return { expected: row, actual: actual[closest] as JsonObject, isSame: false };
  });
  return [...pairs, ...[...left].map((index) => pairOf(undefined, actual[index], partial))];
}

/** The index of the same actual row, by the index of an expected one. */
function matchedRows(
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
): ReadonlyMap<number, number> {
  const indexes = Map.groupBy(actual.keys(), (index) => canonicalText(actual[index] as JsonObject));
  return new Map(
    expected.flatMap((row, index) => {
      const found = indexes.get(canonicalText(row))?.shift();
      return found === undefined ? [] : [[index, found] as const];
    }),
  );
}

/** The same for rows without all columns, by a maximum matching: one actual row can match several expected ones. */
function matchedParts(
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
): ReadonlyMap<number, number> {
  const matches = expected.map((row) =>
    actual.flatMap((other, index) => (rowMatches(row, other, true) ? [index] : [])),
  );
  const takenBy = new Map<number, number>();
  const assign = (row: number, seen: Set<number>): boolean => {
    for (const index of matches[row] ?? []) {
      if (seen.has(index)) continue;
      seen.add(index);
      const holder = takenBy.get(index);
      if (holder !== undefined && !assign(holder, seen)) continue;
      takenBy.set(index, row);
      return true;
    }
    return false;
  };
  for (const row of expected.keys()) assign(row, new Set());
  return new Map([...takenBy].map(([index, row]) => [row, index]));
}

/** The index of the row with the fewest differing columns, if any column is the same. */
function closestOf(
  expected: JsonObject,
  actual: readonly JsonObject[],
  left: ReadonlySet<number>,
  partial: boolean,
): number | undefined {
  let closest: number | undefined;
  let fewest = Object.keys(expected).length;
  for (const index of left) {
    const count = differingColumns(expected, actual[index] as JsonObject, partial).length;
    if (count >= fewest) continue;
    closest = index;
    fewest = count;
  }
  return closest;
}
