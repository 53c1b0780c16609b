import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import type { Value } from '../../../../sql/values/value.ts';
import type { Constant } from '../../dialect/constant.ts';
import type { Expression } from '../../dialect/expression.ts';

/** A call of a scalar function, for the function's entry in the allow-list. */
export class FunctionCall {
  /** The name in messages: `REGEXP_CONTAINS`. */
  readonly name: string;
  readonly type: SqlType;
  /** Whether a failure of this function, not of its arguments, returns NULL. */
  readonly safe: boolean;
  /** The value of CURRENT_TIMESTAMP in microseconds since the epoch. */
  readonly now: Constant;
  readonly #arguments: readonly Expression[];
  readonly #read = new Set<number>();

  constructor(
    name: string,
    args: readonly Expression[],
    type: SqlType,
    { safe, now }: { readonly safe: boolean; readonly now: Constant },
  ) {
    this.name = name;
    this.#arguments = args;
    this.type = type;
    this.safe = safe;
    this.now = now;
  }

  /** The types of the arguments. Reading them doesn't count as reading the arguments. */
  get types(): readonly SqlType[] {
    return this.#arguments.map(({ type }) => type);
  }

  /** The same call with other arguments. */
  with(args: readonly Expression[], type: SqlType): FunctionCall {
    return new FunctionCall(this.name, args, type, this);
  }

  get count(): number {
    return this.#arguments.length;
  }

  optional(index: number): Expression | undefined {
    this.#read.add(index);
    return this.#arguments[index];
  }

  /** An optional argument. Undefined if it is not written. A written NULL is an argument. */
  given(index: number): Expression | undefined {
    const argument = this.optional(index);
    return argument?.isOmitted === true ? undefined : argument;
  }

  arg(index: number): Expression {
    const argument = this.optional(index);
    if (argument === undefined)
      throw new TypeError(`The resolved tree is malformed: too few arguments of ${this.name}`);
    return argument;
  }

  sql(index: number): string {
    return this.arg(index).sql;
  }

  all(): readonly Expression[] {
    return this.#arguments.map((_, index) => this.arg(index));
  }

  /** The value of an argument that must be constant, such as a format. Otherwise the call is refused. */
  constant(index: number, what: string): Value {
    const { constant } = this.arg(index);
    if (constant === undefined) throw this.refusal(`a computed ${what}`);
    return constant.value;
  }

  /** The same for a text that must not be NULL. */
  constantText(index: number, what: string): string {
    const value = this.constant(index, what);
    if (typeof value !== 'string') throw this.refusal(`a NULL ${what}`);
    return value;
  }

  refusal(what: string): Error {
    return unsupported(`${what} in ${this.name}`);
  }

  /** Refuses a call if its entry did not read all of it. */
  assertRead(): void {
    for (const index of this.#arguments.keys()) {
      if (!this.#read.has(index)) throw this.refusal(`argument ${index + 1}`);
    }
  }
}
