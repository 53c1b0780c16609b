import { Presets, SingleBar } from 'cli-progress';

/** Shows the progress of a long task. */
export interface Progress {
  /** @param total the final value for `update`; undefined if unknown */
  start(name: string, total: number | undefined): void;
  update(done: number): void;
  /** Shows a phase after the counting, such as committing. */
  phase(text: string): void;
  stop(): void;
}

/** A stream that may be a terminal. */
export interface Terminal extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
}

/** A bar on a terminal, otherwise a plain line now and then. `now` returns milliseconds. */
export function progressOn(stream: Terminal, now: () => number): Progress {
  return stream.isTTY === true ? new ProgressBar(stream) : new ProgressLines(stream, now);
}

class ProgressBar implements Progress {
  readonly #bar: SingleBar;
  #total: number | undefined;

  constructor(stream: NodeJS.WritableStream) {
    const options = {
      stream,
      format: '{name} {bar} {percentage}% {phase}',
      clearOnComplete: true,
      linewrap: false,
    };
    this.#bar = new SingleBar(options, Presets.shades_classic);
  }

  start(name: string, total: number | undefined): void {
    this.#total = total;
    this.#bar.start(total ?? 1, 0, { name, phase: '' });
  }

  update(done: number): void {
    if (this.#total !== undefined) this.#bar.update(done);
  }

  phase(text: string): void {
    this.#bar.update({ phase: text });
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** Milliseconds between two lines about one task. */
const lineInterval = 5000;

class ProgressLines implements Progress {
  readonly #stream: NodeJS.WritableStream;
  readonly #now: () => number;
  #name = '';
  #total: number | undefined;
  #last = 0;
  #spoken = false;

  constructor(stream: NodeJS.WritableStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
  }

  start(name: string, total: number | undefined): void {
    this.#name = name;
    this.#total = total;
    this.#last = this.#now();
    this.#spoken = false;
  }

  update(done: number): void {
    if (this.#total === undefined || this.#now() - this.#last < lineInterval) return;
    this.#last = this.#now();
    this.#spoken = true;
    this.#stream.write(`${this.#name}: ${Math.floor((100 * done) / Math.max(this.#total, 1))}%\n`);
  }

  /** Prints nothing for a task that ended before its first line. */
  phase(text: string): void {
    if (this.#spoken) this.#stream.write(`${this.#name}: ${text}\n`);
  }

  stop(): void {}
}
