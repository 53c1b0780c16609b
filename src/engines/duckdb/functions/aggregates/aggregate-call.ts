import type { SqlType } from '../../../../sql/type.ts';
import type { Expression } from '../../expression.ts';
import { FunctionCall } from '../function-call.ts';

/** What a call of an aggregate or analytic function says besides its arguments. */
export interface Modifiers {
  readonly distinct: boolean;
  readonly nulls: 'DEFAULT_NULL_HANDLING' | 'IGNORE_NULLS' | 'RESPECT_NULLS';
  /** The list of an ORDER BY within the call; empty for none. */
  readonly order: string;
  readonly limit: string | undefined;
  /** HAVING MAX or HAVING MIN. */
  readonly having: { readonly kind: 'MAX' | 'MIN'; readonly by: Expression } | undefined;
  /** `OVER (...)` of an analytic call; empty for an aggregate. */
  readonly over: string;
  /** Gives the positions of those elements of the result that are used; left out where all may be. */
  readonly elements?: (() => ReadonlySet<number> | undefined) | undefined;
}

/** What is written in a call. */
type ModifierName = Exclude<keyof Modifiers, 'elements'>;

/** One call of an aggregate or analytic function. */
export class AggregateCall extends FunctionCall {
  readonly #modifiers: Modifiers;
  readonly #readModifiers = new Set<ModifierName>();

  constructor(
    name: string,
    args: readonly Expression[],
    type: SqlType,
    options: { readonly safe: boolean; readonly now: bigint },
    modifiers: Modifiers,
  ) {
    super(name, args, type, options);
    this.#modifiers = modifiers;
  }

  #modifier<Name extends ModifierName>(name: Name): Modifiers[Name] {
    this.#readModifiers.add(name);
    return this.#modifiers[name];
  }

  /** `DISTINCT ` or nothing. */
  get distinct(): string {
    return this.#modifier('distinct') ? 'DISTINCT ' : '';
  }

  /** ` ORDER BY ...` or nothing. */
  get order(): string {
    const order = this.#modifier('order');
    return order === '' ? '' : ` ORDER BY ${order}`;
  }

  /** ` OVER (...)` or nothing. */
  get over(): string {
    const over = this.#modifier('over');
    return over === '' ? '' : ` ${over}`;
  }

  /** The positions of those elements of the result that are used; undefined for all. */
  get usedElements(): ReadonlySet<number> | undefined {
    return this.#modifiers.elements?.();
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
      order: this.#modifiers.order !== '',
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
