import { unsupported } from '../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../sql/type.ts';
import type { Value } from '../../../sql/value.ts';
import type { Expression } from '../expression.ts';

/** One call of a scalar function, as the function's entry in the allow-list sees it. */
export class FunctionCall {
  /** As people write it: `REGEXP_CONTAINS`. */
  readonly name: string;
  readonly type: SqlType;
  /** Whether a failure of this function (not of its arguments) gives NULL. */
  readonly safe: boolean;
  /** Microseconds since the epoch of CURRENT_TIMESTAMP. */
  readonly now: bigint;
  readonly #arguments: readonly Expression[];
  readonly #read = new Set<number>();

  constructor(
    name: string,
    args: readonly Expression[],
    type: SqlType,
    { safe, now }: { readonly safe: boolean; readonly now: bigint },
  ) {
    this.name = name;
    this.#arguments = args;
    this.type = type;
    this.safe = safe;
    this.now = now;
  }

  /** The types of the arguments. Looking at them is not reading the arguments. */
  get types(): readonly SqlType[] {
    return this.#arguments.map(({ type }) => type);
  }

  /** The same call of other arguments. */
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

  /** An argument that may be left out, which an analyzer may show as NULL; undefined when it is. */
  given(index: number): Expression | undefined {
    const argument = this.optional(index);
    return argument?.constant === null ? undefined : argument;
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

  /** The value of an argument that has to be known now, such as a format; refused otherwise. */
  constant(index: number, what: string): Value {
    const { constant } = this.arg(index);
    if (constant === undefined) throw this.refusal(`a computed ${what}`);
    return constant;
  }

  /** The same for text that isn't NULL. */
  constantText(index: number, what: string): string {
    const value = this.constant(index, what);
    if (typeof value !== 'string') throw this.refusal(`a NULL ${what}`);
    return value;
  }

  refusal(what: string): Error {
    return unsupported(`${what} in ${this.name}`);
  }

  /** Refuses a call whose entry did not look at all of it. */
  assertRead(): void {
    for (const index of this.#arguments.keys()) {
      if (!this.#read.has(index)) throw this.refusal(`argument ${index + 1}`);
    }
  }
}
