import { calledFunction } from '../../../../sql/plan/tree-nodes.ts';
import { isCollatedType } from '../../../../sql/resolved/collated-type.ts';
import {
  type AnyNode,
  asMessage,
  fieldsOf,
  messages,
  rewrap,
  unwrap,
  withField,
} from '../../../../sql/resolved/node.ts';
import { constantKind } from '../../dialect/constant.ts';
import { comparisonFunctions } from '../../functions/comparison/comparison.ts';
import { logicFunctions } from '../../functions/comparison/logic.ts';
import { arithmeticFunctions } from '../../functions/numbers/arithmetic.ts';
import { scalarFunctions } from '../../functions/scalar-functions.ts';
import { canFail } from '../chosen/can-fail.ts';
import { sliceField } from '../sliced/slice-statement.ts';
import { callCount } from '../tree/call-count.ts';
import { type Computed, columnRef, withComputed } from '../tree/make-nodes.ts';
import { NewColumns } from '../tree/new-columns.ts';
import { isVolatileCall } from '../volatile/is-volatile.ts';
import { Meanings } from './meanings.ts';

const callKind = 'resolved_function_call_node';
const callKinds = new Set([callKind, 'resolved_cast_node', 'resolved_get_json_field_node']);
/** The expressions that have parts in the same row. */
const rowKinds = new Set([
  ...callKinds,
  ...['resolved_make_struct_node', 'resolved_get_struct_field_node'],
  ...['resolved_aggregate_function_call_node'],
]);
const leafKinds = new Set([
  ...['resolved_literal_node', 'resolved_parameter_node', 'resolved_column_ref_node', constantKind],
]);

/** Functions that become operators. */
const operators: ReadonlySet<string> = new Set(
  [logicFunctions, comparisonFunctions, arithmeticFunctions].flatMap((functions) => Object.keys(functions)),
);

/** How long DuckDB plans a function, in operators. */
const functionWork = 20;
/** What a column must save. */
const columnWork = 3 * functionWork;
/** Statements with fewer calls have nothing to save. */
const fewCalls = 4;

/** Fields without expressions. */
const leaves = new Set(['type', 'column', 'column_list', 'signature', 'value', 'table', 'function']);

/**
 * Computes calls once that the expressions of a SELECT list, of aggregates or of a function's body repeat, as a column of
 * the rows below. DuckDB plans and prepares each call otherwise: 50 branches that compare LOWER(x) took 50 times as long
 * (measured). A call that can fail is shared only if one of its places is always evaluated. Conditions of rows aren't
 * searched: DuckDB puts the calls back into them.
 */
export function sharedCalls(statement: AnyNode): AnyNode {
  return callCount(statement) < fewCalls ? statement : new Sharing(statement).statement();
}

class Sharing {
  readonly #statement: AnyNode;
  readonly #columns: NewColumns;
  readonly #meanings = new Meanings();

  constructor(statement: AnyNode) {
    this.#statement = statement;
    this.#columns = new NewColumns(statement);
  }

  statement(): AnyNode {
    return this.#part(this.#statement) as AnyNode;
  }

  #part(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((each) => this.#part(each));
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
    const entries = Object.entries(part).map(([field, value]): [string, unknown] => {
      const inner = leaves.has(field) ? value : this.#part(value);
      return [field, this.#shared(field, inner)];
    });
    return Object.fromEntries(entries);
  }

  #shared(kind: string, value: unknown): unknown {
    switch (kind) {
      case 'resolved_project_scan_node':
        return this.#below(asMessage(value, kind), ['expr_list']);
      case 'resolved_aggregate_scan_node': {
        const scan = asMessage(value, kind);
        if (scan[sliceField] !== undefined) return scan;
        const base = this.#below(asMessage(scan.parent, 'parent'), ['group_by_list', 'aggregate_list']);
        return { ...scan, parent: base };
      }
      case 'resolved_with_expr_node':
        return this.#among(asMessage(value, kind));
      default:
        return value;
    }
  }

  /** The columns become columns of the scan's input. */
  #below(scan: AnyNode, fields: readonly string[]): AnyNode {
    const lists = fields.map((field) => messages(scan, field));
    const shared = this.#share(lists.flatMap((list) => list.map(({ expr }) => asMessage(expr, 'expr'))));
    if (shared === undefined) return scan;
    const expressions = shared.expressions.values();
    const rewritten = lists.map((list) => list.map((item) => ({ ...item, expr: expressions.next().value })));
    return {
      ...scan,
      ...Object.fromEntries(fields.map((field, i) => [field, rewritten[i]])),
      input_scan: withComputed(asMessage(scan.input_scan, 'input_scan'), shared.columns),
    };
  }

  /** The columns become further names of `WITH(name AS value, ..., expression)`. */
  #among(expression: AnyNode): AnyNode {
    const shared = this.#share([asMessage(expression.expr, 'expr')]);
    if (shared === undefined) return expression;
    const assignment_list = [...messages(expression, 'assignment_list'), ...shared.columns];
    return { ...expression, assignment_list, expr: shared.expressions[0] };
  }

  #share(
    expressions: readonly AnyNode[],
  ): { readonly expressions: readonly AnyNode[]; readonly columns: readonly Computed[] } | undefined {
    const places = new Places(this.#meanings);
    for (const expression of expressions) places.add(expression);
    if (!places.hasRepeated) return undefined;
    const columns = new Map<number, Computed>();
    const replaced = (expression: AnyNode): AnyNode => {
      const meaning = this.#meanings.of(expression);
      if (!places.areWorthAColumn(expression)) return withParts(expression, replaced);
      const known = columns.get(meaning);
      const computed = known ?? { column: this.#columnOf(expression), expr: expression };
      columns.set(meaning, computed);
      return columnRef(computed.column, false);
    };
    const rewritten = expressions.map(replaced);
    return columns.size === 0 ? undefined : { expressions: rewritten, columns: [...columns.values()] };
  }

  #columnOf(expression: AnyNode): AnyNode {
    const { type } = fieldsOf(unwrap(expression).message);
    return { column_id: String(this.#columns.next()), name: 'shared', table_name: '$shared', type };
  }
}

/** What is known of an expression. */
interface Facts {
  /** The operators that DuckDB plans for it. */
  readonly work: number;
  /** Whether it can be computed apart from the expression around it. */
  readonly isColumn: boolean;
  readonly readsColumns: boolean;
}

/** A call, and its places. */
interface Occurrence extends Facts {
  readonly count: number;
  readonly isAlwaysEvaluated: boolean;
}

/** The calls in some expressions over the same rows. */
class Places {
  readonly #meanings: Meanings;
  readonly #occurrences = new Map<number, Occurrence>();
  hasRepeated = false;

  constructor(meanings: Meanings) {
    this.#meanings = meanings;
  }

  /** Adds the calls of an expression. */
  add(expression: AnyNode, isAlwaysEvaluated = true): Facts {
    const { kind, message } = unwrap(expression);
    const isReference = kind === 'resolved_column_ref_node';
    if (leafKinds.has(kind)) return { work: 0, isColumn: true, readsColumns: isReference };
    if (!rowKinds.has(kind)) return { work: 0, isColumn: false, readsColumns: true };
    const isLazy = kind === callKind && isConditional(message);
    const parts = partsOf(expression).map((part, i) =>
      this.add(part, isAlwaysEvaluated && !(isLazy && i > 0)),
    );
    const facts = {
      work: parts.reduce((sum, { work }) => sum + work, workOf(kind, message)),
      isColumn: parts.every(({ isColumn }) => isColumn) && canBeColumn(kind, message),
      readsColumns: parts.some(({ readsColumns }) => readsColumns),
    };
    if (callKinds.has(kind)) this.#count(this.#meanings.of(expression), facts, isAlwaysEvaluated);
    return facts;
  }

  #count(meaning: number, facts: Facts, isAlwaysEvaluated: boolean): void {
    const before = this.#occurrences.get(meaning);
    this.hasRepeated ||= before !== undefined;
    this.#occurrences.set(meaning, {
      ...facts,
      count: (before?.count ?? 0) + 1,
      isAlwaysEvaluated: isAlwaysEvaluated || before?.isAlwaysEvaluated === true,
    });
  }

  areWorthAColumn(expression: AnyNode): boolean {
    if (!callKinds.has(unwrap(expression).kind)) return false;
    const occurrence = this.#occurrences.get(this.#meanings.of(expression));
    if (occurrence === undefined || !occurrence.isColumn || !occurrence.readsColumns) return false;
    const { count, work, isAlwaysEvaluated } = occurrence;
    return (count - 1) * work >= columnWork && (isAlwaysEvaluated || !canFail(expression));
  }
}

function workOf(kind: string, message: AnyNode): number {
  if (!callKinds.has(kind)) return 0;
  return kind === callKind && operators.has(calledFunction(message)) ? 1 : functionWork;
}

/** Whether an expression, not its parts, can be computed apart. */
function canBeColumn(kind: string, message: AnyNode): boolean {
  if (kind === 'resolved_aggregate_function_call_node') return false;
  if (isCollatedType(fieldsOf(message).type_annotation_map)) return false;
  return kind !== callKind || (!isVolatileCall(kind, message) && !hasLambda(message));
}

function hasLambda(call: AnyNode): boolean {
  return messages(asMessage(call.parent, 'parent'), 'generic_argument_list').length > 0;
}

/** Whether only the first argument of a call is always evaluated. */
function isConditional(call: AnyNode): boolean {
  const name = calledFunction(call);
  return !Object.hasOwn(scalarFunctions, name) || scalarFunctions[name]?.lazy === true;
}

/** The fields with the parts of an expression. */
const partFields = ['argument_list', 'expr', 'field_list'];

function partsOf(expression: AnyNode): readonly AnyNode[] {
  const fields = fieldsOf(unwrap(expression).message);
  return partFields.flatMap((field) => {
    const value = fields[field];
    if (Array.isArray(value)) return messages(fields, field);
    return value === undefined || value === null ? [] : [asMessage(value, field)];
  });
}

function withParts(expression: AnyNode, change: (part: AnyNode) => AnyNode): AnyNode {
  const { kind, message } = unwrap(expression);
  if (!rowKinds.has(kind)) return expression;
  const fields = fieldsOf(message);
  const changed = partFields.reduce((result, field) => {
    const value = fields[field];
    if (value === undefined || value === null) return result;
    const parts = Array.isArray(value)
      ? messages(fields, field).map(change)
      : change(asMessage(value, field));
    return withField(result, field, parts);
  }, message);
  return rewrap(expression, changed);
}
