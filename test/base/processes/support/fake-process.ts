import type { Supervised } from '../../../../src/base/processes/supervised.ts';

let pids = 0;

/** A process that ends when the test, or whoever looks after it, ends it. */
export class FakeProcess implements Supervised {
  readonly pid = ++pids;
  readonly exited: Promise<string>;
  readonly #exit: (reason: string) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.exited = promise;
    this.#exit = resolve;
  }

  async end(reason: string): Promise<void> {
    this.#exit(reason);
  }
}
