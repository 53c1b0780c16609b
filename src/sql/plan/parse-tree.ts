import type { AnyNode } from '../resolved/node.ts';

/** A use of a named parameter in a SQL text. */
export interface ParameterUse {
  readonly name: string;
  /** The position of `@`: bytes from the start of the text in UTF-8. */
  readonly byteOffset: number;
  /** The end of its name, in the same way. */
  readonly byteEnd: number;
}

/** The uses of named parameters in a parse tree, in text order. */
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
    // Clauses such as PIVOT and SET have a parameter under `parameter`, without the wrapping message.
    if (field === 'ast_parameter_expr_node' || field === 'parameter') {
      const name = (child as { name?: { id_string?: unknown } }).name?.id_string;
      const range = rangeOf(child);
      if (typeof name === 'string' && range !== undefined) {
        uses.push({ name, byteOffset: range.start ?? 0, byteEnd: range.end ?? 0 });
      }
    }
    if (field !== 'parent') visit(child, uses);
  }
}

interface LocatedNode {
  readonly parent?: LocatedNode;
  readonly parse_location_range?: { readonly start?: number; readonly end?: number };
}

/** In both trees, the outermost base type of a node contains its location. */
function rangeOf(node: unknown): LocatedNode['parse_location_range'] {
  let base = node as LocatedNode | null | undefined;
  while (base !== undefined && base !== null && !base.parse_location_range) base = base.parent;
  return base?.parse_location_range ?? undefined;
}

/** A part of a SQL text, in UTF-8 bytes. The end is excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The part of the text that a node of a parse tree or resolved tree covers. Undefined if the node has no location. */
export function textRange(node: unknown): TextRange | undefined {
  const range = rangeOf(node);
  return range && { start: range.start ?? 0, end: range.end ?? 0 };
}

/** An entry of a WITH clause. */
export interface WithEntry {
  readonly name: string;
  /** Where its text begins, name included, and ends: bytes from the start of the SQL text in UTF-8. */
  readonly start: number;
  readonly end: number;
  /** Every identifier in it, in lower case and unquoted: a superset of the tables that it reads. */
  readonly identifiers: ReadonlySet<string>;
}

interface WithClause {
  readonly recursive: boolean;
  readonly entries: readonly WithEntry[];
}

interface QueryStatement {
  readonly ast_query_statement_node?: {
    readonly query?: {
      readonly with_clause?: {
        readonly recursive?: boolean;
        readonly with?: readonly { readonly alias?: { readonly id_string?: string } }[];
      };
    };
  };
}

/** The top-level WITH clause of a query, without entries if it has none. */
export function withClause(statement: AnyNode): WithClause {
  const clause = (statement as QueryStatement).ast_query_statement_node?.query?.with_clause;
  return { recursive: clause?.recursive === true, entries: withEntries(clause?.with ?? []) };
}

/** Entries of WITH, from their nodes in a parse tree. */
export function withEntries(
  nodes: readonly { readonly alias?: { readonly id_string?: string } }[],
): readonly WithEntry[] {
  return nodes.flatMap((entry) => {
    const range = rangeOf(entry);
    const name = entry.alias?.id_string;
    return range === undefined || name === undefined
      ? []
      : [{ name, start: range.start ?? 0, end: range.end ?? 0, identifiers: identifiersIn(entry) }];
  });
}

/** Every identifier in a part of a parse tree, in lower case and unquoted. */
export function identifiersIn(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) {
    for (const element of node) identifiersIn(element, found);
  } else if (node !== null && typeof node === 'object') {
    for (const [field, child] of Object.entries(node)) {
      if (field === 'id_string') found.add(String(child).toLowerCase());
      else identifiersIn(child, found);
    }
  }
  return found;
}

/**
 * The location of a query in its text, without surrounding comments and semicolon, in UTF-8 bytes. Undefined for every
 * other statement.
 */
export function queryRange(statement: AnyNode): TextRange | undefined {
  return textRange((statement as QueryStatement).ast_query_statement_node);
}
