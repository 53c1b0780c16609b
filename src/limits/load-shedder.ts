import type { GatewayError } from '../errors.ts';

/**
 * Refuses requests while queries that have to run would be refused, before anything is read for them: under ten times the load nine
 * requests of ten are refused, and what that costs is taken from the others. A request goes on whose target is being
 * answered to another one, since it can share that one's flight.
 */
export class LoadShedder {
  readonly #refusal: () => GatewayError | undefined;
  /** How many requests are being answered, by target. */
  readonly #answering = new Map<string, number>();

  /** @param refusal why a query that has to run would be refused now; undefined when it would not be */
  constructor(refusal: () => GatewayError | undefined) {
    this.#refusal = refusal;
  }

  /**
   * Lets a request in, which is being answered until what is given is disposed of.
   *
   * @param isAtHand whether an answer for the target is kept
   * @throws GatewayError OVERLOADED
   */
  enter(target: string, isAtHand: () => boolean): Disposable {
    const others = this.#answering.get(target) ?? 0;
    const refusal = others === 0 ? this.#refusal() : undefined;
    if (refusal !== undefined && !isAtHand()) throw refusal;
    this.#answering.set(target, others + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#answering.get(target) ?? 1) - 1;
        if (left === 0) this.#answering.delete(target);
        else this.#answering.set(target, left);
      },
    };
  }
}
