import { noteCall, withCalls } from '../dialect/calls.ts';
import { raisedPrefix, raisedSuffix } from '../dialect/raised-error.ts';
/**
 * The attached in-memory database with the macros. Calls include its name, so nothing else can replace a macro.
 */
export const macroDatabase = 'gateway';

/** How a macro's body handles invalid arguments: the macro raises an error, and its safe variant returns NULL. */
export interface Mode {
  /** An expression of type `type` that raises an error. `message` is SQL. */
  raise(message: string, type: string): string;
  /**
   * A conversion that may fail.
   *
   * DuckDB evaluates the cast of a record's field before the condition of the surrounding CASE. So an argument must not
   * be cast directly to a narrower type: `trunc(x)` and `n % m` are evaluated in place.
   */
  cast(expression: string, type: string): string;
  /** A call of a macro or function in JavaScript. Safe variants call safe variants. */
  call(callee: Callee, ...args: string[]): string;
}

/** A function with a safe variant, which returns NULL instead of raising an error. */
interface Callee {
  call(args: readonly string[], safe?: boolean): string;
}

/**
 * Raises an error by a cast that fails: DuckDB's own error() is not allowed under TRY, and is never removed from an
 * unused branch.
 */
export function raise(message: string, type: string): string {
  const failing = `CAST('${raisedPrefix}' || ${message} || '${raisedSuffix}' AS BIGINT)`;
  return type === 'BIGINT' ? failing : `CAST(CAST(${failing} AS VARCHAR) AS ${type})`;
}

const raising: Mode = {
  raise,
  cast: (expression, type) => `CAST(${expression} AS ${type})`,
  call: (macro, ...args) => macro.call(args, false),
};

const nullGiving: Mode = {
  raise: (_message, type) => `CAST(NULL AS ${type})`,
  cast: (expression, type) => `TRY_CAST(${expression} AS ${type})`,
  call: (macro, ...args) => macro.call(args, true),
};

/**
 * A GoogleSQL function that DuckDB lacks, as a SQL macro. DuckDB may move a failing expression out of TRY(...), so
 * SAFE_CAST and SAFE.f use a variant that can't fail, made from the same body.
 */
export class Macro {
  readonly #name: string;
  readonly #parameters: string;
  readonly #body: string;
  readonly #nullGivingBody: string;
  readonly #callsJs: boolean;

  constructor(name: string, parameters: readonly string[], body: (mode: Mode) => string) {
    this.#name = `${macroDatabase}.main.${name}`;
    this.#parameters = parameters.join(', ');
    const [bodies, calls] = withCalls(() => [body(raising), body(nullGiving)] as const);
    [this.#body, this.#nullGivingBody] = bodies;
    this.#callsJs = calls.js;
  }

  /** A call as SQL. With `safe`, it returns NULL instead of raising an error. */
  call(args: readonly string[], safe = false): string {
    noteCall('macro');
    if (this.#callsJs) noteCall('js');
    return `${safe && this.isFallible ? this.#safeVariant : this.#name}(${args.join(', ')})`;
  }

  /** The statements that create the macro. */
  get definitions(): readonly string[] {
    const definition = (name: string, body: string) => `CREATE MACRO ${name}(${this.#parameters}) AS ${body}`;
    const own = definition(this.#name, this.#body);
    return this.isFallible ? [own, definition(this.#safeVariant, this.#nullGivingBody)] : [own];
  }

  /** The bodies of the macro and its safe variant, with their names. */
  get bodies(): readonly (readonly [name: string, body: string])[] {
    return [
      [this.#name, this.#body],
      [this.#safeVariant, this.#nullGivingBody],
    ];
  }

  /** Whether a call can raise an error. */
  get isFallible(): boolean {
    return this.#body !== this.#nullGivingBody;
  }

  get #safeVariant(): string {
    return `${this.#name}_or_null`;
  }
}
