import { canonicalText, type Json, type JsonObject, sameJson } from '../../../base/text/exact-json.ts';

/** The rows of two versions of an answer, compared as multisets. */
export interface RowComparison {
  /** The columns in which rows are compared: those of both versions. */
  readonly columns: readonly string[];
  /** The columns by which rows are the same ones. Empty if none are known to identify rows. */
  readonly keys: readonly string[];
  readonly added: readonly JsonObject[];
  readonly removed: readonly JsonObject[];
  readonly changed: readonly ChangedRow[];
  /** How many rows are equal. */
  readonly equal: number;
  /** Whether all rows are equal, and come in another order. */
  readonly isReordered: boolean;
}

export interface ChangedRow {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

interface RowFacts {
  /** Columns that may identify rows. They do if no two rows of either answer have the same values in them. */
  readonly keys: readonly string[];
  /** Whether both versions say in which order rows come. */
  readonly isOrdered: boolean;
  /** The names of columns before, by those that they have now. */
  readonly formerNames: ReadonlyMap<string, string>;
}

/** Compares two answers. Columns that only one of them has are left out. */
export function compareRows(
  before: Answer,
  after: Answer,
  { keys, isOrdered, formerNames }: RowFacts,
): RowComparison {
  const former = (name: string) => formerNames.get(name) ?? name;
  const columns = after.columns.filter((name) => before.columns.includes(former(name)));
  const old = before.rows.map((row) => picked(row, columns, former));
  const now = after.rows.map((row) => picked(row, columns, (name) => name));
  const [oldTexts, nowTexts] = [old.map(canonicalText), now.map(canonicalText)];
  const unmatched = countsOf(nowTexts);
  const removed = old.filter((_, index) => !take(unmatched, oldTexts[index] ?? ''));
  const left = countsOf(oldTexts);
  const added = now.filter((_, index) => !take(left, nowTexts[index] ?? ''));
  const isKeyed =
    keys.length > 0 &&
    keys.every((name) => columns.includes(name)) &&
    isUnique(old, keys) &&
    isUnique(now, keys);
  const isReordered =
    isOrdered &&
    removed.length === 0 &&
    added.length === 0 &&
    oldTexts.some((text, index) => text !== nowTexts[index]);
  const equal = old.length - removed.length;
  if (!isKeyed) return { columns, keys: [], added, removed, changed: [], equal, isReordered };
  const byKey = new Map(added.map((row) => [keyText(row, keys), row]));
  const changed = removed.flatMap((row): ChangedRow[] => {
    const other = byKey.get(keyText(row, keys));
    return other === undefined ? [] : [{ before: row, after: other }];
  });
  const [gone, come] = [
    new Set(changed.map((each) => each.before)),
    new Set(changed.map((each) => each.after)),
  ];
  return {
    ...{ columns, keys, changed, equal, isReordered },
    added: added.filter((row) => !come.has(row)),
    removed: removed.filter((row) => !gone.has(row)),
  };
}

/** Whether two answers have the same rows, and in the same order where both versions say one. */
export function areEqualRows({ added, removed, changed, isReordered }: RowComparison): boolean {
  return added.length + removed.length + changed.length === 0 && !isReordered;
}

/** The columns in which a changed row differs. */
export function differingColumns({ before, after }: ChangedRow): string[] {
  return Object.keys(after).filter((name) => !sameJson(before[name], after[name]));
}

function picked(row: JsonObject, columns: readonly string[], nameOf: (name: string) => string): JsonObject {
  return Object.fromEntries(columns.map((name): [string, Json] => [name, row[nameOf(name)] ?? null]));
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Takes one of the equal texts. Returns whether one was left. */
function take(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}

function isUnique(rows: readonly JsonObject[], keys: readonly string[]): boolean {
  return new Set(rows.map((row) => keyText(row, keys))).size === rows.length;
}

function keyText(row: JsonObject, keys: readonly string[]): string {
  return canonicalText(keys.map((name) => row[name] ?? null));
}
