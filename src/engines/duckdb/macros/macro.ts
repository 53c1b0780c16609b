import { noteCall, withCalls } from '../calls.ts';
import { raisedPrefix, raisedSuffix } from '../raised-error.ts';
/**
 * The database, attached in memory, that holds the macros. Calls name it, so nothing else can take a
 * macro's place.
 */
export const macroDatabase = 'gateway';

/** How a macro's body meets what it can't answer: a fallible macro raises, and its safe variant gives NULL. */
export interface Mode {
  /** An expression of type `type` for the place where an error belongs. `message` is SQL. */
  raise(message: string, type: string): string;
  /**
   * The conversion, which may fail.
   *
   * DuckDB computes the cast of a field of a record before the condition of the CASE that it stands in. So nothing casts what it was
   * given as it is to a type that is narrower: `trunc(x)` and `n % m` are computed where they stand.
   */
  cast(expression: string, type: string): string;
  /** A call of a macro or of a function in JavaScript, the safe variant within a safe variant. */
  call(callee: Callee, ...args: string[]): string;
}

/** What has a safe variant, which gives NULL where it raises. */
interface Callee {
  call(args: readonly string[], safe?: boolean): string;
}

/**
 * Raises as a cast that must fail: DuckDB's own error() may not stand under TRY and is never folded away in
 * a branch that isn't taken.
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
 * A function of GoogleSQL that DuckDB doesn't have, as a SQL macro. DuckDB may move a failing expression out
 * of TRY(...), so what SAFE_CAST and SAFE.f need is a variant that can't fail, made from the same body.
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

  /** A call with these arguments, as SQL; with `safe` one that gives NULL where the other would raise. */
  call(args: readonly string[], safe = false): string {
    noteCall('macro');
    if (this.#callsJs) noteCall('js');
    return `${safe && this.#isFallible ? this.#safeVariant : this.#name}(${args.join(', ')})`;
  }

  /** The statements that create it. */
  get definitions(): readonly string[] {
    const definition = (name: string, body: string) => `CREATE MACRO ${name}(${this.#parameters}) AS ${body}`;
    const own = definition(this.#name, this.#body);
    return this.#isFallible ? [own, definition(this.#safeVariant, this.#nullGivingBody)] : [own];
  }

  /** Its name and its safe variant's, by their bodies. */
  get bodies(): readonly (readonly [name: string, body: string])[] {
    return [
      [this.#name, this.#body],
      [this.#safeVariant, this.#nullGivingBody],
    ];
  }

  get #isFallible(): boolean {
    return this.#body !== this.#nullGivingBody;
  }

  get #safeVariant(): string {
    return `${this.#name}_or_null`;
  }
}
