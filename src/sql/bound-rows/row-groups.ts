/**
 * Rows of one origin, such as a table or a table and what is joined to it by equal columns.
 */
export interface Group {
  /** The origins, to recognise a group after changes. */
  readonly origins: ReadonlySet<object>;
  /** Whether it has rows of a table. Otherwise, it only says something about columns of an outer query. */
  readonly isStored: boolean;
  /** The ids of columns with values from these rows. */
  readonly columns: ReadonlySet<string>;
  /** The parameters, in lower case, that restrict each of these rows. */
  readonly bound: ReadonlySet<string>;
}

/** The groups of all rows of a query. */
export type Groups = readonly Group[];

/** What is compared: a value made from one parameter, or one made from columns. */
export interface Side {
  readonly given?: string | undefined;
  readonly columns?: ReadonlySet<string> | undefined;
  /** The rows of a scalar subquery. */
  readonly groups?: Groups;
}

/** The groups of the rows for which both sides are equal. */
export function equated(groups: Groups, left: Side, right: Side): Groups {
  const inner = [...(left.groups ?? []), ...(right.groups ?? [])];
  const all = [...groups, ...inner];
  const after = equatedIn(all, left, right);
  const outer =
    inner.length === 0 ? after : after.filter((each) => groups.some((other) => isHeld(other, each)));
  return withRowsIn(
    outer,
    after.filter((each) => !outer.includes(each)),
  );
}

function equatedIn(groups: Groups, left: Side, right: Side): Groups {
  const given = [left.given, right.given].filter((name) => name !== undefined);
  const [columns, others] = [left, right].flatMap((side) => (side.given === undefined ? [side.columns] : []));
  if (columns === undefined) return groups;
  if (given.length > 0) {
    return known(groups, columns).map((each) =>
      isSubset(columns, each.columns) ? { ...each, bound: union([each.bound, new Set(given)]) } : each,
    );
  }
  if (others === undefined) return groups;
  const all = known(known(groups, columns), others);
  const [some, more] = [columns, others].map((ids) => all.filter((each) => isSubset(ids, each.columns)));
  if (some === undefined || more === undefined || some.length === 0 || more.length === 0) return groups;
  const equal = new Set([...some, ...more]);
  return [...all.filter((each) => !equal.has(each)), merged([...equal])];
}

/** The groups with one for columns that are in none: they belong to an outer query, or are computed. */
export function known(groups: Groups, columns: ReadonlySet<string>): Groups {
  if (groups.some((each) => overlaps(each.columns, columns))) return groups;
  return [...groups, group({ isStored: false, columns })];
}

/** The groups of those rows for which a subquery has rows. */
export function withRowsIn(outer: Groups, inner: Groups): Groups {
  return outer.map((each) => {
    const shared = inner.filter((other) => sharesColumn(each, other));
    return shared.length === 0 ? each : { ...merged([each, ...shared]), isStored: each.isStored };
  });
}

/** The groups with further parameters that restrict all of their rows. */
export function allBound(groups: Groups, names: ReadonlySet<string>): Groups {
  return groups.map((each) => ({ ...each, bound: union([each.bound, names]) }));
}

/** A new group; by default, of rows of a table of which nothing is known. */
export function group(parts: {
  isStored?: boolean;
  columns?: Iterable<string>;
  bound?: ReadonlySet<string>;
}): Group {
  const { isStored = true, columns = [], bound = new Set<string>() } = parts;
  return { origins: newOrigin(), isStored, columns: new Set(columns), bound };
}

/** An origin that no other group has. */
export function newOrigin(): ReadonlySet<object> {
  return new Set([{}]);
}

/** Rows of which each is joined to one of each group. */
export function merged(groups: Groups): Group {
  return {
    origins: union(groups.map(({ origins }) => origins)),
    isStored: groups.some(({ isStored }) => isStored),
    columns: union(groups.map(({ columns }) => columns)),
    bound: union(groups.map(({ bound }) => bound)),
  };
}

/** Rows of which each is of one of the groups. */
export function inAny(groups: Groups): Group {
  return group({
    isStored: groups.some(({ isStored }) => isStored),
    columns: common(groups.map(({ columns }) => columns)),
    bound: common(groups.map(({ bound }) => bound)),
  });
}

function isHeld(part: Group, whole: Group): boolean {
  return isSubset(part.origins, whole.origins);
}

/** What a group has become. */
export function holder(groups: Groups, part: Group): Group {
  return groups.find((each) => isHeld(part, each)) ?? part;
}

/** Whether two groups have values of the same column. */
export function sharesColumn(one: Group, other: Group): boolean {
  return overlaps(one.columns, other.columns);
}

/** A group with those of its columns that are visible. */
export function within(each: Group, columns: ReadonlySet<string>): Group {
  return { ...each, columns: common([each.columns, columns]) };
}

/** The columns of a group under the names that an outer query has for them. */
export function renamed(
  from: { readonly group: Group; readonly columns: readonly string[] },
  to: readonly string[],
): ReadonlySet<string> {
  if (from.columns.length !== to.length) return new Set();
  return new Set(to.filter((_id, index) => from.group.columns.has(from.columns[index] ?? '')));
}

/** The items that are in all sets. */
export function common<Item>(sets: readonly ReadonlySet<Item>[]): ReadonlySet<Item> {
  const [first = new Set<Item>(), ...others] = sets;
  return new Set([...first].filter((item) => others.every((other) => other.has(item))));
}

/** The items of all sets. */
export function union<Item>(sets: readonly ReadonlySet<Item>[]): ReadonlySet<Item> {
  return new Set(sets.flatMap((each) => [...each]));
}

/** Whether a set has all items of another one. */
export function isSubset<Item>(part: ReadonlySet<Item>, whole: ReadonlySet<Item>): boolean {
  return [...part].every((item) => whole.has(item));
}

function overlaps<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): boolean {
  return [...one].some((item) => other.has(item));
}
