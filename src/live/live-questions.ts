import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../engines/row-changes.ts';
import { GatewayError } from '../errors.ts';
import type { Watcher } from './watchers.ts';

/** A question that is watched: one run answers all who watch it. */
export interface LiveQuestion {
  readonly endpoint: Endpoint;
  /** Called when rows have changed. */
  changed(changes: readonly RowChange[]): void;
  /** Ends the streams of all who watch. */
  fail(error: unknown): void;
  add(watcher: Watcher): void;
  /** Begins its runs, once somebody watches. */
  begin(): void;
  /** Returns whether anyone still watches. */
  delete(watcher: Watcher): boolean;
  /** Ends its runs. */
  end(): void;
}

/** The error of a stream whose endpoint was replaced. The client asks again. */
export function endpointChanged({ name }: Endpoint): GatewayError {
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
   * Joins those who watch a question, or begins it.
   *
   * @throws GatewayError OVERLOADED if there are too many different questions
   */
  join(key: string, watcher: Watcher, make: () => Question): Question {
    const known = this.#questions.get(key);
    if (known !== undefined) {
      known.add(watcher);
      return known;
    }
    if (this.#questions.size >= this.#most) throw tooMany(this.#most);
    const question = make();
    this.#questions.set(key, question);
    question.add(watcher);
    question.begin();
    return question;
  }

  /** Ends the question with its last watcher. */
  leave(key: string, question: Question, watcher: Watcher): void {
    if (question.delete(watcher)) return;
    question.end();
    if (this.#questions.get(key) === question) this.#questions.delete(key);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(isServed: (endpoint: Endpoint) => boolean): void {
    for (const [key, question] of this.#questions) {
      if (isServed(question.endpoint)) continue;
      this.#questions.delete(key);
      question.fail(endpointChanged(question.endpoint));
    }
  }
}

function tooMany(most: number): GatewayError {
  const message = `More than ${most} different live queries are watched. Try again later.`;
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 5 });
}
