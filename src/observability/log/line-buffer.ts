/** Where pieces of the log go. */
export interface Sink {
  write(text: string): unknown;
}

/** From this many characters on, lines are handed over at once. */
const enoughLength = 8_192;
/** Lines wait no longer than this, in milliseconds. */
const maxWaitMs = 20;

/**
 * Collects lines and hands them over together: a call for each line cost more than making the line (measured).
 */
export class LineBuffer {
  readonly #sink: Sink;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** @param line ending in a line break */
  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= enoughLength) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), maxWaitMs).unref();
  }

  /** Hands over what is there. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#sink.write(lines);
  }
}
