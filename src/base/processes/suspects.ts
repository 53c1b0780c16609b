import type { Clock } from '../system/clock.ts';

/** Runs suspects, each in a process that nobody else uses meanwhile. */
export interface Isolation<Session> {
  alone<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Called when no suspect is waiting any more. */
  release?(): Promise<void>;
}

interface SuspectsOptions<Session> {
  readonly isolation: Isolation<Session>;
  /** Whether the error means that a call has ended its own process, or made it hang. */
  readonly isToBlame: (error: unknown) => boolean;
  /** How long a blamed call is refused, in milliseconds. */
  readonly refusedForMs: number;
  readonly clock: Pick<Clock, 'elapsed'>;
}

interface Suspect<Session> {
  readonly key: string | undefined;
  readonly spentMs: number;
  run(session: Session): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Repeats calls that were in flight when a process ended. One of them may have caused it, so they run alone, one at a
 * time. A call that ends that process, too, is to blame: it affects no other, and is refused for a while. The calls
 * that had run for the shortest time go first, since the one to blame had usually run for long.
 */
export class Suspects<Session> {
  readonly #options: SuspectsOptions<Session>;
  readonly #waiting: Suspect<Session>[] = [];
  /** By key, oldest first. */
  readonly #blamed = new Map<string, { readonly error: unknown; readonly until: number }>();
  #isBusy = false;

  constructor(options: SuspectsOptions<Session>) {
    this.#options = options;
  }

  /** @throws the error that a call of this key was blamed with, while it is remembered */
  refuseBlamed(key: string | undefined): void {
    if (key === undefined) return;
    const blamed = this.#blamed.get(key);
    if (blamed !== undefined && blamed.until > this.#options.clock.elapsed()) throw blamed.error;
  }

  /**
   * Repeats a call, alone.
   *
   * @param key identifies the call; without it, no blame is remembered
   * @param spentMs how long it had run when the process ended
   * @throws the call's errors
   */
  async again<T>(
    key: string | undefined,
    spentMs: number,
    call: (session: Session) => Promise<T>,
  ): Promise<T> {
    this.refuseBlamed(key);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = async (session: Session) => resolve(await call(session));
    this.#waiting.push({ key, spentMs, run, fail: reject });
    void this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { isolation, isToBlame } = this.#options;
    while (this.#waiting.length > 0) {
      let suspect: Suspect<Session> | undefined;
      try {
        // The next suspect is chosen as late as possible: by then, all calls that the same end interrupted have
        // arrived.
        await isolation.alone(async (session) => {
          suspect = this.#next();
          await suspect?.run(session);
        });
      } catch (error) {
        if (suspect === undefined) this.#failAll(error);
        suspect?.fail(error);
        if (isToBlame(error)) this.#blame(suspect?.key, error);
      }
    }
    this.#isBusy = false;
    await isolation.release?.();
  }

  #next(): Suspect<Session> | undefined {
    this.#waiting.sort((a, b) => b.spentMs - a.spentMs);
    return this.#waiting.pop();
  }

  /** Without a process, each suspect would wait in vain, one after the other. */
  #failAll(error: unknown): void {
    for (const suspect of this.#waiting.splice(0)) suspect.fail(error);
  }

  /** Waiting calls with the same key fail as well. */
  #blame(key: string | undefined, error: unknown): void {
    if (key === undefined) return;
    const { clock, refusedForMs } = this.#options;
    const now = clock.elapsed();
    for (const [old, { until }] of this.#blamed) {
      if (until > now) break;
      this.#blamed.delete(old);
    }
    this.#blamed.set(key, { error, until: now + refusedForMs });
    for (const same of this.#waiting.filter((suspect) => suspect.key === key)) {
      this.#waiting.splice(this.#waiting.indexOf(same), 1);
      same.fail(error);
    }
  }
}
