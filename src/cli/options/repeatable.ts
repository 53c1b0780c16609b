/** Collects the values of an option that may be repeated. */
export function repeatable(item: string, before: readonly string[] = []): readonly string[] {
  return [...before, item];
}
