import type { AnyNode } from './resolved/node.ts';

/** A use of a named parameter in a SQL text. */
export interface ParameterUse {
  readonly name: string;
  /** Where `@` stands: bytes from the start of the text in UTF-8. */
  readonly byteOffset: number;
}

/** The uses of named parameters in a parse tree, in the order of the text. */
export function parameterUses(statement: AnyNode): ParameterUse[] {
  const uses: ParameterUse[] = [];
  visit(statement, uses);
  return uses.sort((a, b) => a.byteOffset - b.byteOffset);
}

function visit(node: unknown, uses: ParameterUse[]): void {
  if (Array.isArray(node)) {
    for (const element of node) visit(element, uses);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  for (const [field, child] of Object.entries(node)) {
    // `parameter` is where clauses such as PIVOT and SET take a parameter without the wrapping message.
    if (field === 'ast_parameter_expr_node' || field === 'parameter') {
      const name = (child as { name?: { id_string?: unknown } }).name?.id_string;
      const byteOffset = startOf(child);
      if (typeof name === 'string' && byteOffset !== undefined) uses.push({ name, byteOffset });
    }
    if (field !== 'parent') visit(child, uses);
  }
}

/** The location of a node stands in the outermost of its base types. */
function startOf(node: unknown): number | undefined {
  let base = node as { parent?: unknown; parse_location_range?: { start?: number } } | undefined;
  while (base !== undefined && base.parse_location_range === undefined) base = base.parent as typeof base;
  return base?.parse_location_range === undefined ? undefined : (base.parse_location_range.start ?? 0);
}
