/**
 * The condition, as SQL, that a row id is one of some keys. DuckDB evaluates it while it scans a table: it skips row groups
 * outside the range, and reads other columns only of vectors that have such a row. A join alone would read all rows, and `IN`
 * is made into a join.
 *
 * @param keys at least one
 */
export function hasKey(rowId: string, keys: readonly bigint[]): string {
  const count = BigInt(keys.length);
  const byRemainder: bigint[][] = keys.map(() => []);
  let [first, last] = [keys[0] ?? 0n, keys[0] ?? 0n];
  for (const key of keys) {
    byRemainder[Number(key % count)]?.push(key);
    if (key < first) first = key;
    if (key > last) last = key;
  }
  const lists = `CAST('[${byRemainder.map((some) => `[${some.join(', ')}]`).join(', ')}]' AS BIGINT[][])`;
  const ofRemainder = `list_extract(${lists}, ${rowId} % ${count} + 1)`;
  return `${rowId} BETWEEN ${first} AND ${last} AND list_contains(${ofRemainder}, ${rowId})`;
}
