import type { Clock } from '../clock.ts';

/** Where suspects run: each has a process that nobody else uses meanwhile. */
export interface Seclusion<Session> {
  alone<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** No suspect waits any more. */
  leave?(): Promise<void>;
}

interface SuspectsOptions<Session> {
  readonly seclusion: Seclusion<Session>;
  /** Whether a call that failed so has ended the process that it had for itself, or made it hang. */
  readonly isToBlame: (error: unknown) => boolean;
  /** How long a call that is to blame is refused, in milliseconds. */
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
 * Makes calls again that were under way when a process ended. One of them may have ended it, so they run alone, one at a time:
 * whichever ends that process, too, is to blame, harms no other, and is refused for a while. Those that had taken least go
 * first, for the one to blame had mostly worked for long.
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

  /** @throws the error with which a call of this key was blamed, for as long as that is remembered */
  refuseBlamed(key: string | undefined): void {
    if (key === undefined) return;
    const blamed = this.#blamed.get(key);
    if (blamed !== undefined && blamed.until > this.#options.clock.elapsed()) throw blamed.error;
  }

  /**
   * Makes a call again, alone.
   *
   * @param key the same for the same call; without it no blame is remembered
   * @param spentMs how long it had run when the process ended
   * @throws what the call throws
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
    const { seclusion, isToBlame } = this.#options;
    while (this.#waiting.length > 0) {
      let suspect: Suspect<Session> | undefined;
      try {
        // Which one is decided as late as that: by then all have come that the same end has met.
        await seclusion.alone(async (session) => {
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
    await seclusion.leave?.();
  }

  #next(): Suspect<Session> | undefined {
    this.#waiting.sort((a, b) => b.spentMs - a.spentMs);
    return this.#waiting.pop();
  }

  /** Where there is no process to be had, each would wait for as long as the one before it, in vain. */
  #failAll(error: unknown): void {
    for (const suspect of this.#waiting.splice(0)) suspect.fail(error);
  }

  /** Also those fail that wait with the same key. */
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
