import { isMap, isPair, isScalar, type ParsedNode } from 'yaml';

/**
 * The offset in UTF-16 units of a key, or of its value, in a YAML text. For a path that doesn't exist, that of its nearest
 * existing parent. Undefined for an empty text.
 */
export function yamlOffset(
  root: ParsedNode | null,
  path: readonly (string | number)[],
  what: 'key' | 'value',
): number | undefined {
  let node: unknown = root;
  let offset = root?.range[0];
  for (const [depth, part] of path.entries()) {
    const last = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (pair === undefined) return offset;
      const wanted = last && what === 'value' && pair.value !== null ? pair.value : pair.key;
      offset = (wanted as ParsedNode).range[0];
      node = pair.value;
    } else {
      const items = (node as { items?: readonly unknown[] } | null)?.items;
      const item = items?.[Number(part)] as ParsedNode | undefined;
      if (item?.range === undefined) return offset;
      offset = item.range[0];
      node = item;
    }
  }
  return offset;
}
