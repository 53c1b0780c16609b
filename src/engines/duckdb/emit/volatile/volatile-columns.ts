import { calledFunction } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, rewrap, unwrap } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { typeProto, withArguments } from '../../fold/expression.ts';
import { scalarFunctions } from '../../functions/scalar-functions.ts';
import { type Computed, columnRef, filtered, withComputed } from '../tree/make-nodes.ts';
import { NewColumns } from '../tree/new-columns.ts';
import { isVolatile, isVolatileCall } from './is-volatile.ts';
import { floatType, isWithoutFrom, mapFields, perRow, randCall, singleRow } from './volatile-nodes.ts';

const callKind = 'resolved_function_call_node';

/** Fields with a scan. */
const scanFields = new Set(['input_scan', 'left_scan', 'right_scan', 'query', 'scan', 'with_subquery']);

/** The expressions of a scan, while they are rewritten. */
interface Scope {
  /** The volatile calls, which become columns of the scan's input. */
  readonly calls: Computed[];
  /** The subqueries with volatile calls that become columns. They may use those of the calls. */
  readonly subqueries: Computed[];
  /** See {@link perRow}. */
  readonly row: AnyNode | undefined;
  /** The columns that are used within a subquery without FROM. Undefined outside of one. */
  readonly outer: Set<AnyNode> | undefined;
}

/**
 * The statement with its volatile calls in SELECT lists only: every other expression reads their values from columns.
 * DuckDB evaluates an expression of a SELECT list once for each row. It moves conditions with volatile calls below
 * windows, joins, `UNNEST` and unions, and merges equal aggregates and windows of them; and the emitter may write an
 * expression several times. A column is safe from all that.
 */
export function volatileColumns(statement: AnyNode): AnyNode {
  return new Rewriter(statement).statement(statement);
}

class Rewriter {
  readonly #newColumns: NewColumns;

  constructor(statement: AnyNode) {
    this.#newColumns = new NewColumns(statement);
  }

  statement(statement: AnyNode): AnyNode {
    const { message } = unwrap(statement);
    const query = this.#scan(asMessage(message.query, 'query'), undefined);
    return rewrap(statement, { ...message, query });
  }

  /** @param row for the scans of a correlated subquery: see {@link perRow} */
  #scan(scan: AnyNode, row: AnyNode | undefined): AnyNode {
    if (!isVolatile(scan)) return scan;
    const { kind, message } = unwrap(scan);
    switch (kind) {
      case 'resolved_join_scan_node':
        return this.#joined(scan, message, row);
      case 'resolved_array_scan_node':
        return this.#unnested(scan, message, row);
      case 'resolved_project_scan_node':
        return this.#withInput(scan, row, (field, value, scope) =>
          field === 'expr_list'
            ? asList(value, field).map((item) => this.#item(asMessage(item, field), scope))
            : this.#expression(value, scope, true),
        );
      default:
        return this.#withInput(scan, row, (_, value, scope) => this.#expression(value, scope, true));
    }
  }

  /** A scan with its expressions rewritten, over an input with their volatile values. */
  #withInput(
    scan: AnyNode,
    row: AnyNode | undefined,
    rewrite: (field: string, value: unknown, scope: Scope) => unknown,
  ): AnyNode {
    const scope = newScope(row);
    const rewritten = mapFields(unwrap(scan).message, (field, value) =>
      scanFields.has(field) ? value : rewrite(field, value, scope),
    );
    let isUsed = scope.calls.length === 0;
    const whole = mapFields(rewritten, (field, value) => {
      if (!scanFields.has(field)) return value;
      const input = this.#scan(asMessage(value, field), row);
      if (field !== 'input_scan') return input;
      isUsed = true;
      return withValues(input, scope);
    });
    if (!isUsed) throw new TypeError('The resolved tree is malformed: a volatile call without rows');
    return rewrap(scan, whole);
  }

  /** An item of a SELECT list. A volatile call that is all of it stays there. */
  #item(item: AnyNode, scope: Scope): AnyNode {
    const expr = asMessage(item.expr, 'expr');
    const { kind, message } = unwrap(expr);
    if (isVolatileCall(kind, message)) return { ...item, expr: perRow(expr, scope.row, typeProto(expr)) };
    const isSubquery = kind === 'resolved_subquery_expr_node';
    return { ...item, expr: this.#expression(expr, scope, !isSubquery) };
  }

  /** @param isCertain whether it is evaluated for each row, unlike a branch of a CASE */
  #expression(part: unknown, scope: Scope, isCertain: boolean): unknown {
    if (!isVolatile(part)) return part;
    if (Array.isArray(part)) return part.map((element) => this.#expression(element, scope, isCertain));
    const node = part as AnyNode;
    if (typeof node.node !== 'string') return this.#fields(node, scope, isCertain);
    const { kind, message } = unwrap(node);
    if (isVolatileCall(kind, message)) {
      const type = typeProto(node);
      return this.#column(scope.calls, perRow(node, scope.row, type), type, scope);
    }
    if (kind === 'resolved_subquery_expr_node') return this.#subquery(node, message, scope, isCertain);
    if (kind === 'resolved_with_expr_node') return rewrap(node, this.#fields(message, scope, false));
    if (kind === callKind && isCertain) {
      const name = calledFunction(message);
      if (scalarFunctions[name]?.lazy === true || name === 'iferror')
        return this.#lazyCall(node, name, scope);
    }
    return rewrap(node, this.#fields(message, scope, isCertain));
  }

  /** A call that evaluates its first argument, and some of the others. */
  #lazyCall(node: AnyNode, name: string, scope: Scope): AnyNode {
    const { parent } = unwrap(node).message;
    const args = asList(asMessage(parent, 'parent').argument_list, 'argument_list').map(
      (argument, i) => this.#expression(argument, scope, i === 0 && name !== 'iferror') as AnyNode,
    );
    return withArguments(node, args);
  }

  #fields(message: AnyNode, scope: Scope, isCertain: boolean): AnyNode {
    return mapFields(message, (field, value) => {
      if (!scanFields.has(field)) return this.#expression(value, scope, isCertain);
      return this.#scan(asMessage(value, field), scope.row);
    });
  }

  /**
   * A subquery that uses no column of the query around it is evaluated once, unless the analyzer made it of a function
   * with a lambda.
   */
  #subquery(node: AnyNode, message: AnyNode, scope: Scope, isCertain: boolean): AnyNode {
    const parameters = asList(message.parameter_list, 'parameter_list');
    const in_expr = this.#expression(message.in_expr, scope, isCertain);
    const subquery = asMessage(message.subquery, 'subquery');
    const used = new Set<AnyNode>();
    const rewritten = () => {
      const isPerRow = parameters.length > 0 || new ResolvedNode(node).byteOffset === undefined;
      if (!isPerRow || !isVolatile(subquery)) return this.#scan(subquery, undefined);
      if (isWithoutFrom(subquery)) return this.#withoutFrom(subquery, { ...scope, outer: used });
      const row = this.#newColumn(floatType);
      scope.calls.push({ column: row, expr: perRow(randCall, scope.row, floatType) });
      used.add(row);
      return this.#scan(subquery, row);
    };
    const whole = { ...message, in_expr, subquery: rewritten() };
    for (const column of used) scope.outer?.add(column);
    const added = [...used].map((column) => columnRefOf(column, scope.outer !== undefined));
    const result = rewrap(node, { ...whole, parameter_list: [...parameters, ...added] });
    if (!isCertain || scope.outer !== undefined) return result;
    return this.#column(scope.subqueries, result, typeProto(node), scope);
  }

  /** A correlated subquery without FROM is evaluated with the row around it, and so are its calls. */
  #withoutFrom(scan: AnyNode, scope: Scope): AnyNode {
    if (!isVolatile(scan)) return scan;
    const { message } = unwrap(scan);
    return rewrap(scan, {
      ...message,
      expr_list: this.#expression(message.expr_list, scope, false),
      input_scan: this.#withoutFrom(asMessage(message.input_scan, 'input_scan'), scope),
    });
  }

  #joined(scan: AnyNode, message: AnyNode, row: AnyNode | undefined): AnyNode {
    const sides = {
      left_scan: this.#scan(asMessage(message.left_scan, 'left_scan'), row),
      right_scan: this.#scan(asMessage(message.right_scan, 'right_scan'), row),
    };
    const { join_expr: condition, join_type = 'INNER' } = message;
    if (!isVolatile(condition)) return rewrap(scan, { ...message, ...sides });
    if (join_type === 'INNER') {
      const [stable, others] = conjuncts(asMessage(condition, 'join_expr'));
      const pairs = rewrap(scan, { ...message, ...sides, join_expr: stable });
      return this.#scan(filtered(pairs, others), row);
    }
    const scope = newScope(row);
    const join_expr = this.#expression(condition, scope, false);
    return rewrap(scan, { ...message, ...sides, join_expr, volatile_list: scope.calls });
  }

  #unnested(scan: AnyNode, message: AnyNode, row: AnyNode | undefined): AnyNode {
    const { join_expr: condition, input_scan: input = singleRow } = message;
    const isJoinVolatile = isVolatile(condition);
    if (isJoinVolatile && message.is_outer !== true)
      return this.#scan(
        filtered(rewrap(scan, { ...message, join_expr: undefined }), condition as AnyNode),
        row,
      );
    const scope = newScope(row);
    const array = asMessage(this.#expression(message.array_expr, scope, true), 'array_expr');
    // The emitter writes the array several times.
    const array_expr = isVolatile(array)
      ? this.#column(scope.subqueries, array, typeProto(array), scope)
      : array;
    const ofPairs = newScope(isJoinVolatile ? this.#newColumn(floatType) : row);
    if (isJoinVolatile)
      scope.calls.push({ column: ofPairs.row as AnyNode, expr: perRow(randCall, row, floatType) });
    return rewrap(scan, {
      ...message,
      array_expr,
      input_scan: withValues(this.#scan(asMessage(input, 'input_scan'), row), scope),
      join_expr: this.#expression(condition, ofPairs, false),
      volatile_list: ofPairs.calls,
    });
  }

  /** A reference to a new column with the value. */
  #column(columns: Computed[], expr: AnyNode, type: AnyNode, scope: Scope): AnyNode {
    const column = this.#newColumn(type);
    columns.push({ column, expr });
    scope.outer?.add(column);
    return columnRef(column, scope.outer !== undefined);
  }

  #newColumn(type: AnyNode): AnyNode {
    return { column_id: this.#newColumns.next(), table_name: '$volatile', name: '$volatile', type };
  }
}

function newScope(row: AnyNode | undefined): Scope {
  return { calls: [], subqueries: [], row, outer: undefined };
}

function withValues(input: AnyNode, { calls, subqueries }: Scope): AnyNode {
  return withComputed(withComputed(input, calls), subqueries);
}

/** A parameter of a subquery. */
function columnRefOf(column: AnyNode, isCorrelated: boolean): AnyNode {
  return unwrap(columnRef(column, isCorrelated)).message;
}

/** The operands of AND in a condition without volatile calls, if there are any, and the others. */
function conjuncts(condition: AnyNode): readonly [stable: AnyNode | undefined, others: AnyNode] {
  const { kind, message } = unwrap(condition);
  if (kind !== callKind || calledFunction(message) !== '$and') return [undefined, condition];
  const operands = asList(asMessage(message.parent, 'parent').argument_list, 'argument_list') as AnyNode[];
  const parts = operands.map((operand) => (isVolatile(operand) ? conjuncts(operand) : [operand, undefined]));
  const and = (kept: readonly (AnyNode | undefined)[]) => {
    const given = kept.filter((operand) => operand !== undefined);
    return given.length > 1 ? withArguments(condition, given) : given[0];
  };
  return [and(parts.map(([stable]) => stable)), and(parts.map(([, other]) => other)) ?? condition];
}
