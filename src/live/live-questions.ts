import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../engines/row-changes.ts';
import { GatewayError } from '../errors.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import type { LiveLoop } from './live-loop.ts';
import type { LiveMeter } from './live-meter.ts';
import type { Watcher, Watchers } from './watchers.ts';

/** A question that is watched: one run answers all who watch it. */
export interface LiveQuestion {
  readonly endpoint: Endpoint;
  readonly watchers: Watchers;
  /** The name of the key for which it began. */
  readonly begunBy: string;
  /** Its runs. */
  readonly loop: LiveLoop;
  /** Memory that it keeps between events, in bytes. */
  readonly bytes: number;
  /** Called when one who watched it has left. */
  left(watcher: Watcher): void;
  /** Called when rows have changed. */
  changed(changes: readonly RowChange[]): void;
}

/** The error of a stream whose endpoint was replaced. The client asks again. */
function endpointChanged({ name }: Endpoint): GatewayError {
  return new GatewayError('BACKEND_UNAVAILABLE', `The endpoint "${name}" has changed. Ask again.`, {
    retryAfterSeconds: 1,
  });
}

interface LiveQuestionsParts {
  /** Absent for engines that don't tell of new rows. */
  readonly changes?: RowChanges | undefined;
  /** How many different questions there may be; half of them of one key. */
  readonly mostQuestions: number;
  /** Counts what questions keep, for those who watch them. */
  readonly memory: SharedMemory;
  readonly meter: LiveMeter;
}

/** The questions that are being watched, by their keys. */
export class LiveQuestions<Question extends LiveQuestion> {
  readonly #questions = new Map<string, Question>();
  readonly #kind: 'result' | 'tail';
  readonly #most: number;
  readonly #memory: SharedMemory;
  readonly #meter: LiveMeter;

  constructor(kind: 'result' | 'tail', { changes, mostQuestions, memory, meter }: LiveQuestionsParts) {
    this.#kind = kind;
    this.#most = mostQuestions;
    this.#memory = memory;
    this.#meter = meter;
    changes?.onChange((changed) => {
      for (const question of this.#questions.values()) question.changed(changed);
    });
  }

  get size(): number {
    return this.#questions.size;
  }

  /**
   * Joins those who watch a question, or begins it. The watcher leaves when its signal is aborted, and the question ends
   * with its last watcher.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED if there are too many different questions; the signal's reason
   */
  join(key: string, watcher: Watcher, make: () => Question): Question {
    watcher.signal.throwIfAborted();
    const known = this.#questions.get(key);
    if (known === undefined) this.#requireRoom(watcher);
    const question = known ?? make();
    const use = this.#memory.use(watcher.caller.account, question, question.bytes, watcher.fail);
    question.watchers.add(watcher);
    watcher.signal.addEventListener('abort', () => this.#leave(key, question, watcher, use), { once: true });
    if (known === undefined) {
      this.#questions.set(key, question);
      this.#meter.questions(this.#kind, 1);
      question.loop.begin();
    }
    return question;
  }

  /** One key may not take the room of all others. */
  #requireRoom({ caller }: Watcher): void {
    if (this.#questions.size >= this.#most) {
      const message = `More than ${this.#most} different live queries are watched. Try again later.`;
      throw new GatewayError('OVERLOADED', message, { retryAfterSeconds: 5 });
    }
    const mostOfKey = Math.ceil(this.#most / 2);
    const ofKey = this.#questions
      .values()
      .reduce((sum, { begunBy }) => sum + (begunBy === caller.key ? 1 : 0), 0);
    if (ofKey < mostOfKey) return;
    const message = `This key watches ${mostOfKey} different live queries, which is the maximum.`;
    throw new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
  }

  #leave(key: string, question: Question, watcher: Watcher, use: Disposable): void {
    use[Symbol.dispose]();
    question.watchers.delete(watcher);
    question.left(watcher);
    if (question.watchers.size > 0) return;
    question.loop.end();
    this.#meter.questions(this.#kind, -1);
    if (this.#questions.get(key) === question) this.#questions.delete(key);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(isServed: (endpoint: Endpoint) => boolean): void {
    for (const [key, question] of this.#questions) {
      if (isServed(question.endpoint)) continue;
      this.#questions.delete(key);
      question.watchers.fail(endpointChanged(question.endpoint));
    }
  }
}
