import { GatewayError } from '../../../base/errors/errors.ts';
import { type AnyNode, asMessage, rewrap, unwrap } from '../../../sql/resolved/node.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { constantNode, fixedNode } from '../dialect/constant.ts';
import { constancyOf } from './constant.ts';
import { ConstantColumns } from './constant-columns.ts';
import type { Constants, Failing } from './constant-table.ts';
import {
  type FunctionCall,
  functionCall,
  literalConstant,
  literalValue,
  typeOf,
  typeProto,
  withArguments,
} from './expression.ts';
import { referencedEntries } from './with-entries.ts';

/** Fields without expressions. The rest of a message is walked through. */
const opaqueFields = new Set([
  'node',
  'type',
  'type_annotation_map',
  'signature',
  'function',
  'function_call_info',
  'column',
  'column_list',
  'output_column_list',
  'table',
  'value',
  'parameter_list',
]);

/** Inputs are folded before the expressions over them, which may refer to columns found to be constant. */
const inputFields = [
  'with_entry_list',
  'with_subquery',
  'input_scan',
  'left_scan',
  'right_scan',
  'query',
  'input_item_list',
  'scan',
];

/** Calls that can succeed although an argument fails. */
const errorHandlers = new Set(['iferror', 'iserror', 'nulliferror']);

const patternFunctions = new Set([
  'regexp_contains',
  'regexp_extract',
  'regexp_extract_all',
  'regexp_instr',
  'regexp_replace',
  'regexp_substr',
]);

/** They are NULL if an operand is. */
const comparisons = new Set([
  '$equal',
  '$not_equal',
  '$less',
  '$less_or_equal',
  '$greater',
  '$greater_or_equal',
  '$like',
]);

const bool = { type_kind: 'TYPE_BOOL' };

/** The result of folding a call. */
interface Folded {
  readonly result: AnyNode;
  /** The number of its expressions with unknown values. */
  readonly openQuestions: number;
}

/** Arrays and records stay expressions: `GENERATE_ARRAY(1, 1000000)` is short, but its value is not. */
function isScalar({ kind }: SqlType): boolean {
  return kind !== 'ARRAY' && kind !== 'STRUCT';
}

/**
 * One pass over a resolved statement. It replaces constant expressions by the values in the table, and removes branches
 * that constant conditions exclude. Unknown values are requested from the table; the next pass continues with them.
 * Conditions are settled before their branches are visited: in `IF(@start = '', TRUE, t > CAST(@start AS TIMESTAMP))`,
 * the cast of an empty text is not an error.
 */
export class Folder {
  readonly #table: Constants;
  readonly #columns = new ConstantColumns();
  /** The number of expressions in this pass whose value isn't known yet. */
  #openQuestions = 0;
  /**
   * Calls folded in this pass, separately for those that will certainly run. Conditions are visited twice at each level
   * of nesting.
   */
  readonly #folded = { sure: new WeakMap<AnyNode, Folded>(), unsure: new WeakMap<AnyNode, Folded>() };

  constructor(table: Constants) {
    this.#table = table;
  }

  /** @throws GatewayError BAD_USER_INPUT when a parameter's value makes an expression fail that will be evaluated */
  fold(statement: AnyNode): AnyNode {
    return this.#walk(statement, true) as AnyNode;
  }

  /** @param sure whether the run will certainly evaluate this part, so that its errors are the run's */
  #walk(part: unknown, sure: boolean): unknown {
    if (Array.isArray(part)) {
      const walked = part.map((element) => this.#walk(element, sure));
      return walked.some((element, index) => element !== part[index]) ? walked : part;
    }
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
    const message = part as AnyNode;
    return typeof message.node === 'string' ? this.#node(message, sure) : this.#message(message, sure);
  }

  #message(message: AnyNode, sure: boolean): AnyNode {
    if (typeof message.with_query_name === 'string' && 'with_subquery' in message) {
      const walked = this.#fields(message, sure);
      this.#columns.learnEntry(walked);
      return walked;
    }
    return this.#fields(message, sure);
  }

  #fields(message: AnyNode, sure: boolean): AnyNode {
    const changes: Record<string, unknown> = {};
    const visit = (field: string) => {
      const walked = this.#walk(message[field], sure);
      if (walked !== message[field]) changes[field] = walked;
    };
    for (const field of inputFields) if (field in message) visit(field);
    for (const field in message) {
      if (!opaqueFields.has(field) && !inputFields.includes(field)) visit(field);
    }
    return Object.keys(changes).length === 0 ? message : { ...message, ...changes };
  }

  #node(node: AnyNode, sure: boolean): AnyNode {
    const { kind, message } = unwrap(node);
    switch (kind) {
      case 'resolved_literal_node':
      case 'resolved_parameter_node':
        return node;
      case 'resolved_column_ref_node':
        return this.#columns.valueOf(asMessage(message.column, 'column')) ?? node;
      case 'resolved_cast_node':
      case 'resolved_function_call_node':
        return this.#scalar(node, sure);
      case 'resolved_with_scan_node':
        return rewrap(node, this.#message(referencedEntries(message), sure));
      default: {
        const walked = rewrap(node, this.#message(message, sure));
        this.#columns.learn(kind, unwrap(walked).message);
        return kind === 'resolved_order_by_scan_node' ? this.#columns.ordered(walked) : walked;
      }
    }
  }

  #scalar(node: AnyNode, sure: boolean): AnyNode {
    const folded = this.#folded[sure ? 'sure' : 'unsure'];
    const known = folded.get(node);
    if (known !== undefined) {
      this.#openQuestions += known.openQuestions;
      return known.result;
    }
    const before = this.#openQuestions;
    const result = this.#foldScalar(node, sure);
    folded.set(node, { result, openQuestions: this.#openQuestions - before });
    return result;
  }

  #foldScalar(node: AnyNode, sure: boolean): AnyNode {
    const call = functionCall(node);
    const settled = call && this.#conditional(node, call, sure);
    if (settled !== undefined) return settled;
    const { constant, parameters } = constancyOf(node);
    if (constant && isScalar(typeOf(node))) {
      const known = this.#lookup(node);
      if (known === undefined) return node;
      if ('constant' in known)
        return known.constant.isLong ? node : constantNode(typeOf(node), known.constant);
      if (sure) this.#blame(parameters, known);
      return node;
    }
    if (call !== undefined && sure) this.#checkPattern(node, call);
    const handled = call !== undefined && (call.isSafe || errorHandlers.has(call.name));
    // A call that isn't constant may have constant arguments, and may become constant through its columns.
    const walked = rewrap(node, this.#message(unwrap(node).message, sure && !handled));
    const becameConstant = walked !== node && !constant && constancyOf(walked).constant;
    return becameConstant ? this.#scalar(walked, sure) : walked;
  }

  /** A call that evaluates only some of its arguments. Undefined for every other call. */
  #conditional(node: AnyNode, call: FunctionCall, sure: boolean): AnyNode | undefined {
    switch (call.name) {
      case '$and':
        return this.#connective(node, call.arguments, false, sure);
      case '$or':
        return this.#connective(node, call.arguments, true, sure);
      case 'if':
      case '$case_no_value':
        return this.#branches(node, call.arguments, sure);
      case '$case_with_value': {
        const [value, ...rest] = call.arguments as [AnyNode, ...AnyNode[]];
        if (!constancyOf(value).constant) return undefined;
        const isCondition = (index: number) => index % 2 === 0 && index < rest.length - 1;
        const searched = rest.map((argument, index) =>
          isCondition(index)
            ? withArguments(node, [value, argument], { name: '$equal', type: bool })
            : argument,
        );
        const asSearched = { name: '$case_no_value', type: typeProto(node) };
        return this.#branches(withArguments(node, searched, asSearched), searched, sure);
      }
      case 'coalesce':
      case 'ifnull':
        return constancyOf(node).constant ? undefined : this.#firstOf(node, call.arguments, sure);
      default:
        return undefined;
    }
  }

  /** AND or OR. `decisive` is the operand that determines the result alone. */
  #connective(node: AnyNode, operands: readonly AnyNode[], decisive: boolean, sure: boolean): AnyNode {
    const before = this.#openQuestions;
    const values = operands.map((operand) =>
      constancyOf(operand).constant ? this.#valueOf(this.#node(operand, false)) : undefined,
    );
    if (values.includes(decisive)) return fixedNode({ kind: 'BOOL' }, decisive);
    // While an operand is unknown, the others may not be evaluated.
    if (this.#openQuestions > before) return node;
    const walked = operands
      .filter((_, index) => values[index] !== !decisive)
      .map((operand) => this.#node(operand, sure));
    // Operands such as `(@x IS NULL OR …)` may have become constant.
    const found = walked.map((operand) => literalValue(operand));
    if (found.includes(decisive)) return fixedNode({ kind: 'BOOL' }, decisive);
    const kept = walked.filter((_, index) => found[index] !== !decisive);
    if (kept.length === 0) return fixedNode({ kind: 'BOOL' }, !decisive);
    if (kept.length === 1) return kept[0] as AnyNode;
    const same = kept.length === operands.length && kept.every((operand, i) => operand === operands[i]);
    return same ? node : withArguments(node, kept);
  }

  /** IF and CASE: conditions and results alternate, optionally followed by a default result. */
  #branches(node: AnyNode, args: readonly AnyNode[], sure: boolean): AnyNode {
    const searchedCase = (rest: readonly AnyNode[]) =>
      withArguments(node, rest, { name: '$case_no_value', type: typeProto(node) });
    const kept: AnyNode[] = [];
    // Requesting all conditions at once saves a pass for each.
    for (let at = 0; at + 1 < args.length; at += 2) this.#node(args[at] as AnyNode, false);
    for (let at = 0; at < args.length; at += 2) {
      const result = args[at + 1];
      const isElse = result === undefined;
      const before = this.#openQuestions;
      const condition = isElse ? undefined : this.#node(args[at] as AnyNode, sure && kept.length === 0);
      // After an unknown condition, everything waits for the next pass.
      if (condition !== undefined && this.#openQuestions > before && constancyOf(condition).constant) {
        return searchedCase([...kept, condition, ...args.slice(at + 1)]);
      }
      const value = condition === undefined ? true : this.#valueOf(condition);
      if (value === false || value === null) continue;
      const reached = isElse ? (args[at] as AnyNode) : result;
      if (value === true && kept.length === 0) return this.#node(reached, sure);
      if (condition !== undefined && value === undefined) kept.push(condition);
      kept.push(this.#node(reached, false));
      if (value === true) return searchedCase(kept);
    }
    return kept.length === 0 ? fixedNode(typeOf(node), null) : searchedCase(kept);
  }

  /** COALESCE and IFNULL, without arguments that are NULL, and without those that are never reached. */
  #firstOf(node: AnyNode, args: readonly AnyNode[], sure: boolean): AnyNode {
    const rest = (kept: readonly AnyNode[]) =>
      withArguments(node, kept, { name: 'coalesce', type: typeProto(node) });
    const kept: AnyNode[] = [];
    for (const [at, argument] of args.entries()) {
      const before = this.#openQuestions;
      const walked = this.#node(argument, sure && kept.length === 0);
      const { constant } = constancyOf(walked);
      // After an unknown argument, everything waits for the next pass.
      if (constant && this.#openQuestions > before) return rest([...kept, walked, ...args.slice(at + 1)]);
      const isNull = this.#isNull(walked);
      if (isNull === true) continue;
      kept.push(walked);
      if (isNull === false) break;
    }
    const [only] = kept;
    if (only === undefined) return fixedNode(typeOf(node), null);
    return kept.length === 1 ? only : rest(kept);
  }

  /** Whether an expression is NULL in all rows, or in none. Undefined if that isn't known. */
  #isNull(expression: AnyNode): boolean | undefined {
    const { kind, message } = unwrap(expression);
    if (kind === 'resolved_parameter_node') return this.#table.parameters.isNull(String(message.name));
    const constant = literalConstant(expression);
    if (constant !== undefined) return constant.isNull;
    const call = functionCall(expression);
    if (call === undefined || !comparisons.has(call.name)) return undefined;
    // An operand that could fail is computed.
    const isSimple = (operand: AnyNode) =>
      unwrap(operand).kind === 'resolved_column_ref_node' || constancyOf(operand).constant;
    if (!call.arguments.every(isSimple)) return undefined;
    return call.arguments.some((operand) => this.#isNull(operand) === true) ? true : undefined;
  }

  /** The value of a literal, precomputed expression or parameter. Undefined for others. */
  #valueOf(expression: AnyNode): Value | undefined {
    const { kind, message } = unwrap(expression);
    return kind === 'resolved_parameter_node'
      ? this.#table.parameters.value(String(message.name))
      : literalValue(expression);
  }

  #lookup(expression: AnyNode): ReturnType<Constants['lookup']> {
    const known = this.#table.lookup(expression);
    if (known === undefined) this.#openQuestions++;
    return known;
  }

  /** Checks a pattern early: an engine finds a malformed one only when it reads a row. */
  #checkPattern(node: AnyNode, call: FunctionCall): void {
    const pattern = call.arguments[1];
    if (!patternFunctions.has(call.name) || call.isSafe || pattern === undefined) return;
    const { constant, parameters } = constancyOf(pattern);
    if (!constant || parameters.size === 0 || typeOf(pattern).kind !== 'STRING') return;
    const match = withArguments(node, [fixedNode({ kind: 'STRING' }, ''), pattern], {
      name: 'regexp_contains',
      type: bool,
    });
    const known = this.#lookup(match);
    if (known !== undefined && 'error' in known) this.#blame(parameters, known);
  }

  /**
   * Without a parameter, the cause is the query itself or a transient condition. The query then fails, if at all, when
   * it runs.
   */
  #blame(parameters: ReadonlySet<string>, { error, isTransient }: Failing): void {
    const [first] = parameters;
    if (first === undefined || isTransient) return;
    const names = [...parameters].map((name) => this.#table.parameters.declaredName(name));
    const subject =
      names.length === 1
        ? `Parameter "${names[0]}"`
        : `Parameters ${names.map((name) => `"${name}"`).join(', ')}`;
    throw new GatewayError('BAD_USER_INPUT', `${subject}: ${error}`, { parameter: names[0] as string });
  }
}
