import { calledFunction } from '../../../../sql/plan/tree-nodes.ts';
import { isCollatedType } from '../../../../sql/resolved/collated-type.ts';
import { type AnyNode, asMessage, fieldsOf, messages, unwrap } from '../../../../sql/resolved/node.ts';
import { comparisonFunctions } from '../../functions/comparison/comparison.ts';
import { logicFunctions } from '../../functions/comparison/logic.ts';
import { arithmeticFunctions } from '../../functions/numbers/arithmetic.ts';
import { canFail } from '../chosen/can-fail.ts';
import { isVolatile, isVolatileCall } from '../volatile/is-volatile.ts';
import type { Meanings } from './meanings.ts';
import {
  aggregateKind,
  callKind,
  callKinds,
  type Frequency,
  frequencyOf,
  hasParts,
  higher,
  isLeaf,
  lower,
  partsOf,
  referenceKind,
  subqueryKind,
} from './row-expression.ts';

/** Functions that become operators. */
const operators: ReadonlySet<string> = new Set(
  [logicFunctions, comparisonFunctions, arithmeticFunctions].flatMap((functions) => Object.keys(functions)),
);

/** How long DuckDB plans a function, in operators. */
const functionWork = 20;
/** What a column must save. */
const columnWork = 3 * functionWork;
/** The functions within each other from which on each is a column: the SQL of one repeats its arguments. */
const deepNesting = 4;

/** What is known of an expression. */
interface Facts {
  /** The operators that DuckDB plans for it. */
  readonly work: number;
  /** How many functions are within each other in it. */
  readonly nesting: number;
  /** Whether it can be computed apart from the expression around it. */
  readonly isApart: boolean;
  /** One that doesn't is computed once in any case. */
  readonly readsColumns: boolean;
}

const ofLeaf: Facts = { work: 0, nesting: 0, isApart: true, readsColumns: false };

/** A call, and its places. */
interface Occurrence extends Facts {
  readonly count: number;
  readonly frequency: Frequency;
  /** Whether it is within many other functions. */
  readonly isDeep: boolean;
}

/** The calls in expressions over the same rows. */
export class Places {
  readonly #meanings: Meanings;
  readonly #occurrences = new Map<number, Occurrence>();
  /** The meanings of the calls that can be columns. */
  readonly #known = new Map<AnyNode, number>();
  /** Whether any call can be worth a column. */
  areAny = false;

  constructor(meanings: Meanings) {
    this.#meanings = meanings;
  }

  /** Adds the calls of an expression that is always evaluated. */
  add(expression: AnyNode): void {
    this.#add(expression, 'always');
  }

  #add(expression: AnyNode, frequency: Frequency): Facts {
    const { kind, message } = unwrap(expression);
    if (isLeaf(expression)) return { ...ofLeaf, readsColumns: kind === referenceKind };
    if (kind === subqueryKind) return this.#addSubquery(expression, message, frequency);
    if (!hasParts(expression)) return { ...ofLeaf, isApart: false, readsColumns: true };
    const parts = partsOf(expression);
    const inner = parts.map((part, i) => this.#add(part, lower(frequency, frequencyOf(expression, i))));
    const isFunction = isFunctionCall(kind, message);
    const facts = {
      work: inner.reduce(
        (sum, { work }) => sum + work,
        callKinds.has(kind) ? (isFunction ? functionWork : 1) : 0,
      ),
      nesting: Math.max(0, ...inner.map(({ nesting }) => nesting)) + (isFunction ? 1 : 0),
      isApart: inner.every(({ isApart }) => isApart) && canBeApart(kind, message),
      readsColumns: inner.some(({ readsColumns }) => readsColumns),
    };
    if (callKinds.has(kind) && facts.isApart && facts.readsColumns) this.#count(expression, facts, frequency);
    if (isFunction && facts.nesting >= deepNesting) for (const part of parts) this.#markDeep(part);
    return facts;
  }

  #addSubquery(expression: AnyNode, message: AnyNode, frequency: Frequency): Facts {
    const facts = {
      work: columnWork,
      nesting: 0,
      isApart: !isVolatile(message) && !isCollatedType(fieldsOf(message).type_annotation_map),
      // DuckDB computes one without columns of the row once.
      readsColumns: messages(message, 'parameter_list').length > 0,
    };
    if (facts.isApart && facts.readsColumns) this.#count(expression, facts, frequency);
    return facts;
  }

  #count(expression: AnyNode, facts: Facts, frequency: Frequency): void {
    const meaning = this.#meanings.of(expression);
    this.#known.set(expression, meaning);
    const before = this.#occurrences.get(meaning);
    this.areAny ||= before !== undefined;
    this.#occurrences.set(meaning, {
      ...facts,
      count: (before?.count ?? 0) + 1,
      frequency: higher(frequency, before?.frequency ?? 'sometimes'),
      isDeep: before?.isDeep === true,
    });
  }

  /** Marks the outermost functions in the argument of one. */
  #markDeep(expression: AnyNode): void {
    const { kind, message } = unwrap(expression);
    if (!hasParts(expression)) return;
    if (!isFunctionCall(kind, message)) {
      for (const part of partsOf(expression)) this.#markDeep(part);
      return;
    }
    const meaning = this.#known.get(expression);
    const occurrence = meaning === undefined ? undefined : this.#occurrences.get(meaning);
    if (meaning === undefined || occurrence === undefined) return;
    this.areAny = true;
    this.#occurrences.set(meaning, { ...occurrence, isDeep: true });
  }

  /** What an expression means if it is better computed apart, as a column. */
  columnMeaning(expression: AnyNode): number | undefined {
    const meaning = this.#known.get(expression);
    const occurrence = meaning === undefined ? undefined : this.#occurrences.get(meaning);
    return occurrence !== undefined && isWorthAColumn(expression, occurrence) ? meaning : undefined;
  }
}

function isWorthAColumn(expression: AnyNode, occurrence: Occurrence): boolean {
  const { count, work, isDeep } = occurrence;
  if (!isDeep && (count - 1) * work < columnWork) return false;
  return mayBeApart(expression, occurrence.frequency);
}

/** Whether an expression may be computed for all rows: what it would not be computed for can be costly, or fail. */
export function mayBeApart(expression: AnyNode, frequency: Frequency): boolean {
  return frequency === 'always' || (frequency === 'often' && !canFail(expression));
}

function isFunctionCall(kind: string, message: AnyNode): boolean {
  if (kind !== callKind) return callKinds.has(kind);
  return !operators.has(calledFunction(message));
}

/** Whether an expression, not its parts, can be computed apart. */
function canBeApart(kind: string, message: AnyNode): boolean {
  if (kind === aggregateKind || isCollatedType(fieldsOf(message).type_annotation_map)) return false;
  return kind !== callKind || (!isVolatileCall(kind, message) && !hasLambda(message));
}

function hasLambda(call: AnyNode): boolean {
  return messages(asMessage(call.parent, 'parent'), 'generic_argument_list').length > 0;
}
