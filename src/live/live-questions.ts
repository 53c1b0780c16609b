import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../engines/row-changes.ts';
import { GatewayError } from '../errors.ts';
import type { LiveLoop } from './live-loop.ts';
import type { Watcher, Watchers } from './watchers.ts';

/** A question that is watched: one run answers all who watch it. */
export interface LiveQuestion {
  readonly endpoint: Endpoint;
  readonly watchers: Watchers;
  /** Its runs. */
  readonly loop: LiveLoop;
  /** Called when rows have changed. */
  changed(changes: readonly RowChange[]): void;
}

/** The error of a stream whose endpoint was replaced. The client asks again. */
function endpointChanged({ name }: Endpoint): GatewayError {
  return new GatewayError('BACKEND_UNAVAILABLE', `The endpoint "${name}" has changed. Ask again.`, {
    retryAfterSeconds: 1,
  });
}

/** The questions that are being watched, by their keys. */
export class LiveQuestions<Question extends LiveQuestion> {
  readonly #questions = new Map<string, Question>();
  readonly #most: number;

  /**
   * @param changes undefined for engines that don't tell of new rows
   * @param most how many different questions there may be
   */
  constructor(changes: RowChanges | undefined, most: number) {
    this.#most = most;
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
   * @throws GatewayError OVERLOADED if there are too many different questions; the signal's reason
   */
  join(key: string, watcher: Watcher, make: () => Question): Question {
    watcher.signal.throwIfAborted();
    const known = this.#questions.get(key);
    if (known === undefined && this.#questions.size >= this.#most) throw tooMany(this.#most);
    const question = known ?? make();
    question.watchers.add(watcher);
    watcher.signal.addEventListener('abort', () => this.#leave(key, question, watcher), { once: true });
    if (known === undefined) {
      this.#questions.set(key, question);
      question.loop.begin();
    }
    return question;
  }

  #leave(key: string, question: Question, watcher: Watcher): void {
    question.watchers.delete(watcher);
    if (question.watchers.size > 0) return;
    question.loop.end();
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

function tooMany(most: number): GatewayError {
  const message = `More than ${most} different live queries are watched. Try again later.`;
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 5 });
}
