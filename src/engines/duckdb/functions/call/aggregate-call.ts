import type { SqlType } from '../../../../sql/values/type.ts';
import type { Constant } from '../../dialect/constant.ts';
import type { Expression } from '../../dialect/expression.ts';
import { FunctionCall } from './function-call.ts';
import type { OrderKey } from './order-key.ts';

/** The window of an analytic call, for functions that need more than its `OVER (...)`. */
export interface Window {
  /** Adds a column to the rows below the window, and returns its name. */
  below(sql: string): string;
  /** `OVER (...)` with the window's partitions, each whole and in the order of a value. */
  sorted(value: Expression, nullsFirst: boolean): string;
}

/** The modifiers of a call of an aggregate or analytic function. */
export interface Modifiers {
  readonly distinct: boolean;
  readonly nulls: 'DEFAULT_NULL_HANDLING' | 'IGNORE_NULLS' | 'RESPECT_NULLS';
  /** The keys of an ORDER BY within the call. Empty if there is none. */
  readonly order: readonly OrderKey[];
  readonly limit: string | undefined;
  /** HAVING MAX or HAVING MIN. */
  readonly having: { readonly kind: 'MAX' | 'MIN'; readonly by: Expression } | undefined;
  /** `OVER (...)` of an analytic call. Empty for an aggregate. */
  readonly over: string;
  /** Absent for an aggregate. */
  readonly window?: Window;
  /** Returns the used positions of the result's elements. Absent if all may be used. */
  readonly elements?: (() => ReadonlySet<number> | undefined) | undefined;
  /** Called with the positions of the only elements that the result has. */
  readonly keepElements?: ((places: readonly number[]) => void) | undefined;
}

/** The written parts of a call. */
type ModifierName = Exclude<keyof Modifiers, 'elements' | 'keepElements' | 'window'>;

/** One call of an aggregate or analytic function. */
export class AggregateCall extends FunctionCall {
  readonly #modifiers: Modifiers;
  readonly #readModifiers = new Set<ModifierName>();

  constructor(
    name: string,
    args: readonly Expression[],
    type: SqlType,
    options: { readonly safe: boolean; readonly now: Constant },
    modifiers: Modifiers,
  ) {
    super(name, args, type, options);
    this.#modifiers = modifiers;
  }

  #modifier<Name extends ModifierName>(name: Name): Modifiers[Name] {
    this.#readModifiers.add(name);
    return this.#modifiers[name];
  }

  /** `DISTINCT `, or empty. */
  get distinct(): string {
    return this.#modifier('distinct') ? 'DISTINCT ' : '';
  }

  /** The keys of an ORDER BY. Empty if there is none. */
  get order(): readonly OrderKey[] {
    return this.#modifier('order');
  }

  /** Announces that the result is an array of only these elements. Every use of another one has to be excluded before. */
  keepElements(places: readonly number[]): void {
    this.#modifiers.keepElements?.(places);
  }

  /** ` OVER (...)`, or empty. */
  get over(): string {
    const over = this.#modifier('over');
    return over === '' ? '' : ` ${over}`;
  }

  /** The used positions of the result's elements. Undefined means all. */
  get usedElements(): ReadonlySet<number> | undefined {
    return this.#modifiers.elements?.();
  }

  /** The window of an analytic call. */
  get window(): Window {
    const { window } = this.#modifiers;
    if (window === undefined) throw this.refusal('no OVER');
    return window;
  }

  get limit(): string | undefined {
    return this.#modifier('limit');
  }

  get nulls(): Modifiers['nulls'] {
    return this.#modifier('nulls');
  }

  get having(): Modifiers['having'] {
    return this.#modifier('having');
  }

  override assertRead(): void {
    super.assertRead();
    const said: Record<ModifierName, boolean> = {
      distinct: this.#modifiers.distinct,
      nulls: this.#modifiers.nulls !== 'DEFAULT_NULL_HANDLING',
      order: this.#modifiers.order.length > 0,
      limit: this.#modifiers.limit !== undefined,
      having: this.#modifiers.having !== undefined,
      over: this.#modifiers.over !== '',
    };
    for (const name of Object.keys(said) as ModifierName[]) {
      if (said[name] && !this.#readModifiers.has(name)) throw this.refusal(modifierNames[name]);
    }
  }
}

const modifierNames: Readonly<Record<ModifierName, string>> = {
  distinct: 'DISTINCT',
  nulls: 'IGNORE NULLS or RESPECT NULLS',
  order: 'ORDER BY',
  limit: 'LIMIT',
  having: 'HAVING MAX or HAVING MIN',
  over: 'OVER',
};
