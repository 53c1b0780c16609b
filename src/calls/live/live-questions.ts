import type { Clock } from '../../base/clock/clock.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { Shares } from '../../base/fairness/shares.ts';
import type { SharedMemory } from '../../base/memory/shared-memory.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../../engines/engine/row-changes.ts';
import type { Account } from '../access/caller/account.ts';
import { endpointChanged } from '../call/authorised-call.ts';
import { KeptQuestions } from './kept-questions.ts';
import type { LiveLoop } from './live-loop.ts';
import type { LiveMeter } from './live-meter.ts';
import type { Watcher, Watchers } from './watchers.ts';

/** A question that is watched: one run answers all who watch it. */
export interface LiveQuestion {
  readonly endpoint: Endpoint;
  readonly watchers: Watchers;
  /** Its runs. */
  readonly loop: LiveLoop;
  /** Whether it is kept for clients that have lost their connection. */
  readonly isKept: boolean;
  /** Memory that it keeps between events, in bytes. */
  readonly bytes: number;
  /** Called when one who watched it has left. */
  left(watcher: Watcher): void;
  /** Forgets what can be read again, when memory is short. */
  shrink(): void;
  /** Called when rows have changed. */
  changed(changes: readonly RowChange[]): void;
}

/** The error of a stream that ends for one of another key, or of another subject. */
function giveWay(): GatewayError {
  const message = 'Others ask for live queries, of which you watch most. Try again later.';
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
}

interface LiveQuestionsParts {
  readonly clock: Clock;
  /** Absent for engines that don't tell of new rows. */
  readonly changes?: RowChanges | undefined;
  /** How many different questions there may be. */
  readonly mostQuestions: number;
  readonly isServed: (endpoint: Endpoint) => boolean;
  /** Counts what questions keep, for those who watch them. */
  readonly memory: SharedMemory;
  readonly meter: LiveMeter;
}

/** The questions that are being watched, by their keys. */
export class LiveQuestions<Question extends LiveQuestion> {
  readonly #questions = new Map<string, Question>();
  readonly #kept: KeptQuestions<Question>;
  /** Each question counts for one account that watches it. */
  readonly #shares = new Shares<Question>();
  readonly #holders = new Map<Question, Account>();
  readonly #kind: 'result' | 'tail';
  readonly #most: number;
  readonly #isServed: (endpoint: Endpoint) => boolean;
  readonly #memory: SharedMemory;
  readonly #meter: LiveMeter;

  constructor(
    kind: 'result' | 'tail',
    { clock, changes, mostQuestions, isServed, memory, meter }: LiveQuestionsParts,
  ) {
    this.#kept = new KeptQuestions({ clock, memory, most: mostQuestions });
    this.#kind = kind;
    this.#most = mostQuestions;
    this.#isServed = isServed;
    this.#memory = memory;
    this.#meter = meter;
    changes?.onChange((changed) => {
      for (const question of this.#questions.values()) question.changed(changed);
      for (const [, question] of this.#kept.all) question.changed(changed);
    });
  }

  get size(): number {
    return this.#questions.size;
  }

  /**
   * Joins those who watch a question, or begins it. The watcher leaves when its signal is aborted, and the question ends
   * with its last watcher. One that is kept goes on where it was when the next one joins.
   *
   * If there are too many different questions, the newest one of the key with most of them ends for a key with fewer.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED if there are too many, and this key has its share; BACKEND_UNAVAILABLE if the
   *   endpoint was replaced while the question was planned; the signal's reason
   */
  join(key: string, watcher: Watcher, make: () => Question): Question {
    watcher.signal.throwIfAborted();
    watcher.call.requireServed();
    const known = this.#questions.get(key);
    if (known === undefined) this.#makeRoom(watcher.call.payer.account);
    using kept = this.#kept.take(key);
    const question = known ?? kept?.question ?? make();
    const { account } = watcher.call.payer;
    const shrink = () => {
      if (question.watchers.size === 0) this.#kept.drop(key);
      else question.shrink();
      this.#memory.resize(question, question.bytes);
    };
    const use = this.#memory.use(account, question, question.bytes, watcher.fail, shrink);
    question.watchers.add(watcher);
    const leave = () => {
      this.#leave(key, question, watcher);
      use[Symbol.dispose]();
    };
    watcher.signal.addEventListener('abort', leave, { once: true });
    if (known === undefined) {
      this.#questions.set(key, question);
      this.#hold(question, watcher.call.payer.account);
      this.#meter.questions(this.#kind, 1);
      question.loop.begin();
    }
    return question;
  }

  #makeRoom(account: Account): void {
    while (this.#questions.size >= this.#most) {
      const yielding = this.#shares.toYield(account);
      if (yielding === undefined) throw this.#noRoom(account);
      const { item: question, account: holder } = yielding;
      const [key] = [...this.#questions].find(([, each]) => each === question) ?? [''];
      for (const watcher of question.watchers.of(holder)) {
        watcher.fail(giveWay());
        this.#leave(key, question, watcher);
      }
    }
  }

  #noRoom({ key }: Account): GatewayError {
    const isOwn = this.#shares.sizeOf(key) > 0;
    const whose = isOwn ? 'This key has its share of them.' : 'Try again later.';
    const message = `${this.#most} different live queries are watched, which is the maximum. ${whose}`;
    return new GatewayError(isOwn ? 'RATE_LIMITED' : 'OVERLOADED', message, { retryAfterSeconds: 5 });
  }

  #hold(question: Question, account: Account): void {
    this.#holders.set(question, account);
    this.#shares.add(account, question);
  }

  #release(question: Question): void {
    const holder = this.#holders.get(question);
    if (holder !== undefined) this.#shares.delete(holder, question);
    this.#holders.delete(question);
  }

  #leave(key: string, question: Question, watcher: Watcher): void {
    if (!question.watchers.delete(watcher)) return;
    question.left(watcher);
    const [next] = question.watchers.accounts;
    const holder = this.#holders.get(question);
    if (next !== undefined) {
      const isHeld = holder === undefined || question.watchers.of(holder).length > 0;
      if (isHeld) return;
      this.#release(question);
      this.#hold(question, next);
      return;
    }
    question.loop.end();
    this.#meter.questions(this.#kind, -1);
    // One that gave way, or whose endpoint has changed, does not go on.
    const hasLeft = this.#questions.get(key) === question && !(watcher.signal.reason instanceof GatewayError);
    this.#forget(key, question);
    if (hasLeft && question.isKept) this.#kept.keep(key, question, watcher.call.payer.account);
  }

  #forget(key: string, question: Question): void {
    if (this.#questions.get(key) !== question) return;
    this.#questions.delete(key);
    this.#release(question);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(): void {
    for (const [key, { endpoint }] of [...this.#kept.all])
      if (!this.#isServed(endpoint)) this.#kept.drop(key);
    for (const [key, question] of this.#questions) {
      if (this.#isServed(question.endpoint)) continue;
      this.#forget(key, question);
      question.watchers.fail(endpointChanged(question.endpoint));
    }
  }
}
