import pLimit from 'p-limit';
import { type AddedFieldsLimits, addFields, type NewFields } from '../../definitions/sources/added-fields.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceChanges } from '../../definitions/sources/source-changes.ts';

interface LiveSourcesParts {
  /** The sources at the start. */
  readonly sources: readonly Source[];
  /** Gives the engine the sources, and drops what goes. Rejects and changes nothing if its rows don't fit. */
  readonly useInEngine: (sources: readonly Source[], drop?: readonly string[]) => Promise<void>;
  readonly dataDir: string;
  readonly limits: AddedFieldsLimits;
}

/** A call of `add` that waits for its turn. */
interface Waiting {
  readonly additions: readonly NewFields[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The current sources, which can be replaced and extended while the gateway runs. */
export class LiveSources {
  readonly #parts: LiveSourcesParts;
  readonly #changes = pLimit(1);
  readonly #waiting: Waiting[] = [];
  #current: readonly Source[];
  #onGrowth: (changes: readonly string[]) => void = () => undefined;

  constructor(parts: LiveSourcesParts) {
    this.#parts = parts;
    this.#current = parts.sources;
  }

  get current(): readonly Source[] {
    return this.#current;
  }

  /** Calls back after each `add` that added any field, with the changes. */
  onGrowth(report: (changes: readonly string[]) => void): void {
    this.#onGrowth = report;
  }

  /**
   * Runs a task that may replace the sources. Nothing else replaces them meanwhile.
   *
   * @param task gets a function that replaces them
   */
  change<T>(task: (use: LiveSourcesParts['useInEngine']) => Promise<T>): Promise<T> {
    return this.#changes(() => task((sources, drop) => this.#use(sources, drop)));
  }

  /**
   * Adds fields to sources: to their files in DATA_DIR, then to the store. Rows with them can be stored as soon as it
   * resolves. A field that a source has already stays as it is; if its type is another one, nothing is added. Calls that wait
   * for one another share a change of the store.
   *
   * @throws FieldsRefused, with the reason for the sender of the rows; errors of the store and of writing files
   */
  add(additions: readonly NewFields[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ additions, resolve, reject });
    if (this.#waiting.length === 1) void this.#changes(() => this.#addWaiting());
    return promise;
  }

  async #addWaiting(): Promise<void> {
    const { dataDir, limits } = this.#parts;
    const before = this.#current;
    let next = before;
    const done: Waiting[] = [];
    for (const waiting of this.#waiting.splice(0)) {
      try {
        next = await addFields(dataDir, next, waiting.additions, limits);
        done.push(waiting);
      } catch (error) {
        waiting.reject(error);
      }
    }
    try {
      // What is in a file must be in the store: rows with it are sent again.
      const changes = sourceChanges(before, next);
      if (changes.length > 0) {
        await this.#use(next);
        this.#onGrowth(changes);
      }
      for (const { resolve } of done) resolve();
    } catch (error) {
      for (const { reject } of done) reject(error);
    }
  }

  async #use(sources: readonly Source[], drop?: readonly string[]): Promise<void> {
    await this.#parts.useInEngine(sources, drop);
    this.#current = sources;
  }
}
