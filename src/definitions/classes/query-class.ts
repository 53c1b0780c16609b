/** The classes of queries, the most urgent one first. */
export const queryClasses = ['interactive', 'default', 'background'] as const;

export type QueryClass = (typeof queryClasses)[number];

/** The least urgent of these classes. */
export function lowestClass(first: QueryClass, ...others: readonly QueryClass[]): QueryClass {
  return others.reduce((lowest, other) => (isAbove(lowest, other) ? other : lowest), first);
}

/** The most urgent of these classes; `default` if there are none. */
export function highestClass(classes: Iterable<QueryClass>): QueryClass {
  const found = new Set(classes);
  return queryClasses.find((name) => found.has(name)) ?? 'default';
}

/** Whether a class is more urgent than another one. */
export function isAbove(one: QueryClass, other: QueryClass): boolean {
  return queryClasses.indexOf(one) < queryClasses.indexOf(other);
}

/** What chooses the class of a query. */
interface ClassChoices {
  readonly endpoint?: QueryClass | undefined;
  readonly key?: QueryClass | undefined;
  /** Requests can only lower it. */
  readonly atMost?: QueryClass | undefined;
  /** The class if neither the endpoint nor the key chooses; by default, `default`. */
  readonly otherwise?: QueryClass;
}

/** The class of a query: the least urgent one that is chosen. */
export function chosenClass({
  endpoint,
  key,
  atMost = 'interactive',
  otherwise = 'default',
}: ClassChoices): QueryClass {
  const own = endpoint ?? key ?? otherwise;
  return lowestClass(own, key ?? own, atMost);
}
