import type { Account } from '../fairness/account.ts';
import { FairLimit } from '../fairness/fair-limit.ts';
import type { Clock } from '../system/clock.ts';
import type { Supervised } from './supervised.ts';

interface ProcessPoolOptions<Session> {
  /** Starts a process and resolves when it is ready. */
  readonly start: () => Promise<Session>;
  /** How many processes wait for tasks when there are none, and how many short tasks run at the same time. */
  readonly size: number;
  /** How many long tasks run beside them. */
  readonly longTasks: number;
  /** A task that takes more milliseconds is long. */
  readonly longMs: number;
  /**
   * The processor time of a process in milliseconds, by which tasks are long: on a busy machine, short ones wait for a processor.
   * Undefined where it isn't known, as by default. Then the time that passes counts.
   */
  readonly processorMs?: (session: Session) => number | undefined;
  readonly clock: Pick<Clock, 'after'>;
  /** Called with the reason when a process has ended that the pool didn't end. */
  readonly onEnd: (reason: string) => void;
}

interface TaskOptions {
  /** Whether the task is known to be long, or to end processes. */
  readonly isLong?: boolean;
  /** Called when it turns out to be long. */
  readonly onLong?: () => void;
}

/**
 * Processes that do one task at a time each: a task that ends or blocks its process affects no other, and is certainly the one to
 * blame. A process that ends is replaced at once. Short tasks never wait for long ones, which have turns of their own. In both,
 * accounts take turns.
 */
export class ProcessPool<Session extends Supervised> {
  readonly #options: ProcessPoolOptions<Session>;
  readonly #short: FairLimit;
  readonly #long: FairLimit;
  /** Processes without a task. */
  readonly #idle: Session[] = [];
  /** Processes that nobody waits for yet. */
  readonly #starting: Promise<Session>[] = [];
  readonly #alive = new Set<Session>();
  /** Short tasks that have a process, or are about to get one. */
  #shortTasks = 0;
  #closed: { readonly reason: unknown } | undefined;

  constructor(options: ProcessPoolOptions<Session>) {
    this.#options = options;
    this.#short = new FairLimit({ atOnce: options.size });
    this.#long = new FairLimit({ atOnce: options.longTasks });
  }

  /** The ids of all processes. */
  get pids(): readonly number[] {
    return [...this.#alive].map(({ pid }) => pid);
  }

  /** Starts a process before the first task. @throws the error of its start */
  async warmUp(): Promise<void> {
    this.#giveBack(await this.#begin());
  }

  /**
   * Runs a task in a process that does nothing else meanwhile.
   *
   * @param task may be run again, in another process, when it turns out to be long
   * @throws the errors of the task and of a start; the reason of `close` after it
   */
  async run<T>(
    account: Account,
    { isLong, onLong }: TaskOptions,
    task: (session: Session) => Promise<T>,
  ): Promise<T> {
    if (isLong) return this.#long.run(account, async () => this.#work(await this.#take(), task));
    const { session, done, isDone } = await this.#short.run(account, async () => {
      this.#shortTasks++;
      try {
        const session = await this.#take();
        const done = this.#work(session, task);
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const stop = this.#whenLong(session, () => resolve(false));
        const end = () => resolve(true);
        done.then(end, end);
        const isDone = await promise;
        stop();
        return { session, done, isDone };
      } finally {
        this.#shortTasks--;
        this.#refill();
      }
    });
    if (isDone) return done;
    onLong?.();
    if (!this.#long.isFull) return this.#long.run(account, () => done);
    // More long tasks would take the memory and the processors of the short ones. It begins anew when it is its turn.
    await this.#end(session, 'its task is long, and others are before it');
    const answered = await done.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (answered !== undefined) return answered.value;
    return this.run(account, { isLong: true }, task);
  }

  /** Calls back when the task of a process is long. Returns what stops that. */
  #whenLong(session: Session, onLong: () => void): () => void {
    const { longMs, clock, processorMs = () => undefined } = this.#options;
    const before = processorMs(session);
    const look = (): void => {
      const now = processorMs(session);
      const left = before === undefined || now === undefined ? 0 : longMs - (now - before);
      if (left > 0) timer = clock.after(left, look);
      else onLong();
    };
    let timer = clock.after(longMs, look);
    return () => timer.cancel();
  }

  /** Ends all processes permanently. Tasks that wait fail with the reason. */
  async close(reason: unknown): Promise<void> {
    this.#closed = { reason };
    await Promise.all([...this.#alive].map((session) => this.#end(session, 'it was stopped')));
    await Promise.allSettled(this.#starting);
  }

  async #work<T>(session: Session, task: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await task(session);
    } finally {
      this.#giveBack(session);
    }
  }

  async #take(): Promise<Session> {
    if (this.#closed !== undefined) throw this.#closed.reason;
    const session = this.#idle.shift() ?? this.#starting.shift() ?? this.#begin();
    this.#refill();
    return session;
  }

  #giveBack(session: Session): void {
    if (!this.#alive.has(session)) return;
    if (this.#idle.length < this.#options.size) this.#idle.unshift(session);
    else void this.#end(session, 'it is no longer needed');
  }

  /** Starts what is missing. Only tasks cause starts: a process that can't live isn't started again and again. */
  #refill(): void {
    const { size } = this.#options;
    while (this.#closed === undefined && this.#idle.length + this.#starting.length + this.#shortTasks < size)
      this.#startNext();
  }

  #startNext(): void {
    const next = this.#begin();
    this.#starting.push(next);
    const isTaken = () => {
      const at = this.#starting.indexOf(next);
      if (at >= 0) this.#starting.splice(at, 1);
      return at < 0;
    };
    // A task that waits for it gets the error, and the next one causes another start.
    next.then((session) => isTaken() || this.#giveBack(session), isTaken);
  }

  async #begin(): Promise<Session> {
    const session = await this.#options.start();
    this.#alive.add(session);
    void session.exited.then((reason) => {
      const at = this.#idle.indexOf(session);
      if (at >= 0) this.#idle.splice(at, 1);
      if (this.#alive.delete(session)) this.#options.onEnd(reason);
    });
    if (this.#closed === undefined) return session;
    await this.#end(session, 'it was stopped');
    throw this.#closed.reason;
  }

  async #end(session: Session, reason: string): Promise<void> {
    this.#alive.delete(session);
    await session.end(reason);
  }
}
