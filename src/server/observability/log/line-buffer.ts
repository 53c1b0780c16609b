/** The destination of log lines. */
export interface Sink {
  write(text: string): unknown;
}

/** Flushes once this many characters are buffered. */
const enoughLength = 8_192;
/** Maximum delay of a line, in milliseconds. */
const maxWaitMs = 20;

/** Buffers lines and writes them together: one write per line cost more than making the line (measured). */
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

  /** Writes the buffered lines. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#sink.write(lines);
  }
}
