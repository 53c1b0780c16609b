import { isDeepStrictEqual } from 'node:util';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import type { Value } from '../../../sql/values/value.ts';
import { sizeOf } from '../../../sql/values/value-size.ts';
import { type Constant, fixed } from '../dialect/constant.ts';
import { literalSql } from '../dialect/literal.ts';
import { emitExpression, emitQuery } from '../emit/emit-query.ts';
import type { EmitContext, EmittedQuery } from '../emit/emitter/context.ts';
import {
  type ConstantQuestion,
  type Constants,
  type Failing,
  type Known,
  TreeParameters,
} from '../fold/constant-table.ts';
import { functionCall, literalValue, typeOf } from '../fold/expression.ts';
import { Folder } from '../fold/folder.ts';
import {
  type Condition,
  filled,
  type Hole,
  type InputSource,
  Recording,
  type Template,
  template,
} from './recording.ts';

/** The answers to constant questions that are known so far. */
type Recall = (question: ConstantQuestion) => Known | undefined;

/** The maximum size of the values on which compiled SQL depends. */
const maxConditionsSize = 10_000;

/** Thrown where a query's SQL depends on more than can be recorded. */
class NotCompilable extends Error {}

/**
 * Emitted SQL that is valid for other parameters and another clock, too: literals are put into its holes. It depends on the
 * values that emission has read, which are its conditions, and on nothing else.
 */
export class CompiledQuery {
  readonly #inputs: readonly InputSource[];
  readonly #holes: readonly Hole[];
  readonly #conditions: readonly Condition[];
  readonly #tables: ReadonlyMap<string, boolean>;
  readonly #query: EmittedQuery;
  readonly #sql: Template;
  /** Which literals are equal: emission compares SQL. */
  readonly #equal: string;
  /** The length of its texts and conditions. */
  readonly size: number;

  private constructor(recording: Recording, query: EmittedQuery, tables: ReadonlyMap<string, boolean>) {
    this.#inputs = recording.inputs;
    this.#holes = recording.holes;
    this.#conditions = recording.conditions();
    this.#tables = tables;
    this.#query = query;
    this.#sql = template(query.sql);
    this.#equal = equalOnes(recording.literals);
    const expressions = this.#inputs.flatMap((input) => (input.from === 'expression' ? [input.sql] : []));
    const texts = [this.#sql, ...expressions].flatMap((sql) => sql.texts);
    this.size = texts.reduce((sum, text) => sum + text.length, this.#conditionsSize);
  }

  /**
   * Compiles a statement as it is emitted for one run.
   *
   * @param recall the outcomes of constant expressions, all of which this run has evaluated
   * @param emitted what the run executes: compiled SQL must be the same text
   * @returns undefined if the statement can't be compiled
   */
  static of(
    statement: AnyNode,
    context: EmitContext,
    recall: Recall,
    emitted: EmittedQuery,
  ): CompiledQuery | undefined {
    const recording = new Recording();
    const tables = new Map<string, boolean>();
    const recorded: EmitContext = {
      ...context,
      parameters: new Map(
        [...context.parameters].map(([name, { value }]) => [
          name,
          recording.add({ from: 'parameter', name }, value),
        ]),
      ),
      now: recording.add({ from: 'clock' }, context.now.value),
      ...(context.isFlatOnly !== undefined && {
        isFlatOnly(table: string) {
          const isFlatOnly = context.isFlatOnly?.(table) === true;
          tables.set(table, isFlatOnly);
          return isFlatOnly;
        },
      }),
    };
    try {
      const constants = new RecordedConstants(recording, recorded, context.now.value as bigint, recall);
      const query = emitQuery(new Folder(constants).fold(statement), recorded);
      const compiled = new CompiledQuery(recording, query, tables);
      const isSmall = compiled.#conditionsSize <= maxConditionsSize;
      return isSmall && isSame(compiled.#filled(recording.literals), emitted) ? compiled : undefined;
    } catch {
      // The run doesn't need the result, so no failure is its failure. Recording may overflow a stack that emission didn't.
      return undefined;
    }
  }

  get #conditionsSize(): number {
    return this.#conditions.reduce(
      (sum, condition) => sum + ('value' in condition ? sizeOf(condition.value, 10) : 0),
      0,
    );
  }

  /**
   * Puts the values of a run into place.
   *
   * @param evaluate the outcomes of constant expressions
   * @returns the literals, or undefined if the SQL isn't valid for these values
   */
  async bind(
    parameters: ReadonlyMap<string, Constant>,
    now: bigint,
    evaluate: (questions: readonly ConstantQuestion[]) => Promise<readonly Known[]>,
  ): Promise<readonly string[] | undefined> {
    const [inputs, holes] = [this.#inputs, this.#holes];
    const values: (Value | undefined)[] = inputs.map((source) => givenValue(source, parameters, now));
    const literals: (string | undefined)[] = [];
    const isValid = () =>
      this.#conditions.every((condition) => {
        const value = values[condition.input];
        if (value === undefined) return true;
        return 'value' in condition
          ? isDeepStrictEqual(value, condition.value)
          : condition.isNull === (value === null);
      });
    const fill = () => {
      for (const [place, { input, type }] of holes.entries()) {
        const value = values[input];
        if (value !== undefined) literals[place] ??= literalSql(type, value);
      }
    };
    for (;;) {
      if (!isValid()) return undefined;
      fill();
      // As in folding, what a condition excludes is never evaluated: an expression waits for the conditions before it.
      const last = this.#conditions.reduce(
        (first, { input }) => (values[input] === undefined ? Math.min(first, input) : first),
        inputs.length,
      );
      const open = inputs.flatMap((source, input) =>
        input <= last &&
        values[input] === undefined &&
        source.from === 'expression' &&
        source.sql.holes.every((place) => literals[place] !== undefined)
          ? [{ input, question: { sql: filled(source.sql, literals as string[]), type: source.type } }]
          : [],
      );
      if (open.length === 0) break;
      const outcomes = await evaluate(open.map(({ question }) => question));
      for (const [i, { input }] of open.entries()) {
        const known = outcomes[i];
        if (known === undefined || 'error' in known || fixed(known.value).isLong) return undefined;
        values[input] = known.value;
      }
    }
    const all = literals as string[];
    return equalOnes(all) === this.#equal ? all : undefined;
  }

  /** The query with these literals. Undefined if it isn't valid for the tables as they are. */
  withLiterals(
    literals: readonly string[],
    isFlatOnly: (table: string) => boolean,
  ): EmittedQuery | undefined {
    for (const [table, before] of this.#tables) if (isFlatOnly(table) !== before) return undefined;
    return this.#filled(literals);
  }

  #filled(literals: readonly string[]): EmittedQuery {
    return {
      ...this.#query,
      sql: filled(this.#sql, literals),
      ...(this.#query.slices !== undefined && {
        slices: this.#query.slices.map(({ table, bounds }) => ({
          table,
          bounds: bounds.map(({ operator, micros }) => ({
            operator,
            micros: filled(template(micros), literals),
          })),
        })),
      }),
      late: this.#query.late.map((query) => ({
        ...query,
        sqlFor: (keys) => filled(template(query.sqlFor(keys)), literals),
      })),
    };
  }
}

/** The constant expressions of a run whose outcomes are known. */
class RecordedConstants implements Constants {
  readonly #recording: Recording;
  readonly #context: EmitContext;
  readonly #now: bigint;
  readonly #recall: Recall;
  readonly parameters: TreeParameters;
  readonly #known = new Map<string, Constant>();

  constructor(recording: Recording, context: EmitContext, now: bigint, recall: Recall) {
    this.#recording = recording;
    this.#context = context;
    this.#now = now;
    this.#recall = recall;
    this.parameters = new TreeParameters(context.parameters);
  }

  lookup(expression: AnyNode): { readonly constant: Constant } | Failing {
    const type = typeOf(expression);
    const sql = template(emitExpression(expression, this.#context));
    const key = JSON.stringify([type, sql]);
    const before = this.#known.get(key);
    if (before !== undefined) return { constant: before };
    const known = this.#recall({ sql: filled(sql, this.#recording.literals), type });
    if (known === undefined || 'error' in known) throw new NotCompilable();
    // Such a value stays an expression, and nothing is known of the one in the next run.
    if (fixed(known.value).isLong) throw new NotCompilable();
    const micros = isMovedClock(expression) ? (known.value as bigint) - this.#now : undefined;
    const source: InputSource =
      sql.holes.length > 0 && micros !== undefined
        ? { from: 'moved clock', micros }
        : { from: 'expression', sql, type };
    const constant = sql.holes.length === 0 ? fixed(known.value) : this.#recording.add(source, known.value);
    this.#known.set(key, constant);
    return { constant };
  }
}

const clockMoves = new Set(['timestamp_add', 'timestamp_sub']);
/** The parts that last equally long at all times. */
const fixedParts = new Set<unknown>(['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY']);

/** Whether an expression is `CURRENT_TIMESTAMP()`, moved by a fixed time: its distance from the clock never changes. */
function isMovedClock(expression: AnyNode): boolean {
  const call = functionCall(expression);
  if (call === undefined) return false;
  const { name, arguments: args } = call;
  if (name === 'current_timestamp') return args.length === 0;
  const [time, count, part] = args;
  if (!clockMoves.has(name) || time === undefined || count === undefined || part === undefined) return false;
  return typeof literalValue(count) === 'bigint' && fixedParts.has(literalValue(part)) && isMovedClock(time);
}

/** The value of an input that is known before any expression is evaluated. */
function givenValue(
  source: InputSource,
  parameters: ReadonlyMap<string, Constant>,
  now: bigint,
): Value | undefined {
  switch (source.from) {
    case 'parameter':
      return parameters.get(source.name)?.value;
    case 'clock':
      return now;
    case 'moved clock':
      return now + source.micros;
    case 'expression':
      return undefined;
  }
}

/** For each literal, the first one that is equal to it. */
function equalOnes(literals: readonly string[]): string {
  const first = new Map<string, number>();
  return literals
    .map((literal, place) => {
      const before = first.get(literal);
      if (before === undefined) first.set(literal, place);
      return before ?? place;
    })
    .join();
}

function isSame(one: EmittedQuery, other: EmittedQuery): boolean {
  const textOf = ({ sql, late, slices }: EmittedQuery) => [
    sql,
    slices,
    ...late.map(({ key, values, sqlFor }) => [key, [...values], sqlFor([0n, 1n])]),
  ];
  return isDeepStrictEqual(textOf(one), textOf(other));
}
