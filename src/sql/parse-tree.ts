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
      const range = rangeOf(child);
      if (typeof name === 'string' && range !== undefined) uses.push({ name, byteOffset: range.start ?? 0 });
    }
    if (field !== 'parent') visit(child, uses);
  }
}

interface LocatedNode {
  readonly parent?: LocatedNode;
  readonly parse_location_range?: { readonly start?: number; readonly end?: number };
}

/** The location of a node, of either tree, stands in the outermost of its base types. */
function rangeOf(node: unknown): LocatedNode['parse_location_range'] {
  let base = node as LocatedNode | null | undefined;
  while (base !== undefined && base !== null && !base.parse_location_range) base = base.parent;
  return base?.parse_location_range ?? undefined;
}

/** A part of a SQL text: bytes in UTF-8, the end left out. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The part of the text that a node of a parse tree, or of a resolved one, stands for; undefined when it says none. */
export function textRange(node: unknown): TextRange | undefined {
  const range = rangeOf(node);
  return range && { start: range.start ?? 0, end: range.end ?? 0 };
}

/** An entry of a WITH clause. */
export interface WithEntry {
  readonly name: string;
  /** Where its text, name included, begins and ends: bytes from the start of the SQL text in UTF-8. */
  readonly start: number;
  readonly end: number;
  /** Every identifier in it, in lower case and without quoting: all that it may name, and more. */
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

/** The top-level WITH clause of a query; without entries when it has none. */
export function withClause(statement: AnyNode): WithClause {
  const clause = (statement as QueryStatement).ast_query_statement_node?.query?.with_clause;
  return {
    recursive: clause?.recursive === true,
    entries: (clause?.with ?? []).flatMap((entry) => {
      const range = rangeOf(entry);
      const name = entry.alias?.id_string;
      return range === undefined || name === undefined
        ? []
        : [{ name, start: range.start ?? 0, end: range.end ?? 0, identifiers: identifiersIn(entry) }];
    }),
  };
}

function identifiersIn(node: unknown, found = new Set<string>()): Set<string> {
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
 * Where a query stands in its text, without the comments and the semicolon around it: bytes in UTF-8. Undefined
 * for every other statement.
 */
export function queryRange(statement: AnyNode): TextRange | undefined {
  return textRange((statement as QueryStatement).ast_query_statement_node);
}
