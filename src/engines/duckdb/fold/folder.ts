import { GatewayError } from '../../../errors.ts';
import { type AnyNode, asMessage, constantNode, rewrap, unwrap } from '../../../sql/resolved/node.ts';
import { constancyOf } from './constant.ts';
import { ConstantColumns } from './constant-columns.ts';
import type { ConstantTable } from './constant-table.ts';
import { functionCall, literalValue, typeOf, typeProto, withArguments } from './expression.ts';
import { referencedEntries } from './with-entries.ts';

/** Fields that hold no expression; the rest of a message is walked through. */
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

/** Inputs are folded before the expressions over them: these may refer to columns found to be constant. */
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

/** Calls whose arguments may fail without the call failing. */
const errorHandlers = new Set(['iferror', 'iserror', 'nulliferror']);

const patternFunctions = new Set([
  'regexp_contains',
  'regexp_extract',
  'regexp_extract_all',
  'regexp_instr',
  'regexp_replace',
  'regexp_substr',
]);

const bool = { type_kind: 'TYPE_BOOL' };

/**
 * One pass over a resolved statement that puts values in the place of constant expressions, as far as the
 * table knows them, and drops branches that constant conditions rule out. What it doesn't know yet it asks the
 * table for; another pass goes on from there. Conditions are settled before the branches behind them are
 * looked at: in `IF(@start = '', TRUE, t > CAST(@start AS TIMESTAMP))` the cast of an empty text is no error.
 */
export class Folder {
  readonly #table: ConstantTable;
  readonly #columns = new ConstantColumns();

  constructor(table: ConstantTable) {
    this.#table = table;
  }

  /** @throws GatewayError BAD_USER_INPUT when a parameter's value makes an expression fail that must be evaluated */
  fold(statement: AnyNode): AnyNode {
    return this.#walk(statement, true) as AnyNode;
  }

  /** @param sure whether the run is bound to evaluate this part, so that its errors are the run's */
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
        return walked;
      }
    }
  }

  #scalar(node: AnyNode, sure: boolean): AnyNode {
    const { constant, parameters } = constancyOf(node);
    if (constant) {
      const known = this.#table.lookup(node);
      if (known === undefined) return node;
      if ('value' in known) return constantNode(typeOf(node), known.value);
      if (sure) this.#blame(parameters, known.error);
      return node;
    }
    const call = functionCall(node);
    switch (call?.name) {
      case '$and':
        return this.#connective(node, call.arguments, false, sure);
      case '$or':
        return this.#connective(node, call.arguments, true, sure);
      case 'if':
        return this.#branches(node, call.arguments, sure);
      case '$case_no_value':
        return this.#branches(node, call.arguments, sure);
      case '$case_with_value': {
        const [value, ...rest] = call.arguments as [AnyNode, ...AnyNode[]];
        if (!constancyOf(value).constant) break;
        const searched = rest.map((argument, index) =>
          index % 2 === 1 || index === rest.length - 1
            ? argument
            : withArguments(node, [value, argument], { name: '$equal', type: bool }),
        );
        return this.#branches(
          withArguments(node, searched, { name: '$case_no_value', type: typeProto(node) }),
          searched,
          sure,
        );
      }
    }
    if (call !== undefined && patternFunctions.has(call.name))
      this.#checkPattern(node, call.arguments[1], sure);
    const certain = sure && !(call !== undefined && errorHandlers.has(call.name));
    // A call that isn't constant may still hold constant arguments; it can become constant by its columns.
    const walked = rewrap(node, this.#message(unwrap(node).message, certain));
    return walked !== node && constancyOf(walked).constant ? this.#scalar(walked, sure) : walked;
  }

  /** AND, or OR: `decisive` is the operand that settles the outcome by itself. */
  #connective(node: AnyNode, operands: readonly AnyNode[], decisive: boolean, sure: boolean): AnyNode {
    const constants = operands.filter((operand) => constancyOf(operand).constant);
    const settled = new Map(constants.map((operand) => [operand, literalValue(this.#node(operand, false))]));
    if ([...settled.values()].includes(decisive)) return constantNode({ kind: 'BOOL' }, decisive);
    const kept = operands
      .filter((operand) => settled.get(operand) !== !decisive)
      // While an operand is not known yet, nothing tells that the others will be evaluated.
      .map((operand) => this.#node(operand, sure && ![...settled.values()].includes(undefined)));
    if (kept.length === 0) return constantNode({ kind: 'BOOL' }, !decisive);
    if (kept.length === 1) return kept[0] as AnyNode;
    const folded = kept.length === operands.length && kept.every((operand, i) => operand === operands[i]);
    return folded ? node : withArguments(node, kept);
  }

  /** IF and CASE: conditions and results in turn, with or without a last result for all else. */
  #branches(node: AnyNode, args: readonly AnyNode[], sure: boolean): AnyNode {
    const kept: AnyNode[] = [];
    let index = 0;
    for (; index + 1 < args.length; index += 2) {
      const condition = this.#node(args[index] as AnyNode, sure && kept.length === 0);
      const value = literalValue(condition);
      if (value === false || value === null) continue;
      const result = args[index + 1] as AnyNode;
      if (value === true) {
        if (kept.length === 0) return this.#node(result, sure);
        kept.push(this.#node(result, false));
        return withArguments(node, kept, { name: '$case_no_value', type: typeProto(node) });
      }
      // Behind a constant condition that isn't known yet, the results wait for the next pass.
      const waits = constancyOf(condition).constant;
      if (waits)
        return withArguments(node, [...kept, condition, ...args.slice(index + 1)], {
          name: '$case_no_value',
          type: typeProto(node),
        });
      kept.push(condition, this.#node(result, false));
    }
    const otherwise = args[index];
    if (kept.length === 0) {
      return otherwise === undefined ? constantNode(typeOf(node), null) : this.#node(otherwise, sure);
    }
    if (otherwise !== undefined) kept.push(this.#node(otherwise, false));
    return withArguments(node, kept, { name: '$case_no_value', type: typeProto(node) });
  }

  /** An engine finds a malformed pattern only when it meets a row. */
  #checkPattern(call: AnyNode, pattern: AnyNode | undefined, sure: boolean): void {
    if (!sure || pattern === undefined) return;
    const { constant, parameters } = constancyOf(pattern);
    if (!constant || parameters.size === 0 || typeOf(pattern).kind !== 'STRING') return;
    const match = withArguments(call, [constantNode({ kind: 'STRING' }, ''), pattern], {
      name: 'regexp_contains',
      type: bool,
    });
    const known = this.#table.lookup(match);
    if (known !== undefined && 'error' in known) this.#blame(parameters, known.error);
  }

  /** Without a parameter the query itself is at fault, and fails, if at all, when it runs. */
  #blame(parameters: ReadonlySet<string>, error: string): void {
    const [first] = parameters;
    if (first === undefined) return;
    const names = [...parameters].map((name) => this.#table.declaredName(name));
    const subject =
      names.length === 1
        ? `Parameter "${names[0]}"`
        : `Parameters ${names.map((name) => `"${name}"`).join(', ')}`;
    throw new GatewayError('BAD_USER_INPUT', `${subject}: ${error}`, { parameter: names[0] as string });
  }
}
