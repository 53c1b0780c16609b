import pLimit from 'p-limit';
import type { Source } from '../sources/source.ts';

/** The current sources, which can be replaced while the gateway runs. */
export class LiveSources {
  readonly #useInEngine: (sources: readonly Source[]) => Promise<void>;
  readonly #changes = pLimit(1);
  #current: readonly Source[];

  /** @param useInEngine gives an engine the sources; rejects and changes nothing if its rows don't fit */
  constructor(sources: readonly Source[], useInEngine: (sources: readonly Source[]) => Promise<void>) {
    this.#current = sources;
    this.#useInEngine = useInEngine;
  }

  get current(): readonly Source[] {
    return this.#current;
  }

  /**
   * Runs a task that may replace the sources. Nothing else replaces them meanwhile.
   *
   * @param task gets a function that replaces them
   */
  change<T>(task: (use: (sources: readonly Source[]) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#changes(() =>
      task(async (sources) => {
        await this.#useInEngine(sources);
        this.#current = sources;
      }),
    );
  }
}
