import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../terminal/log.ts';
import { type LoopWork, loopWork } from './loop-work.ts';

/** How often the delay is looked at, in milliseconds. */
const everyMs = 1_000;
/** How often it is sampled, in milliseconds: a sample is this much longer than the delay. */
const resolutionMs = 20;
/** No call should hold the event loop for longer, in milliseconds. */
const longestHoldMs = 50;
/** A hold of so many milliseconds or more is a warning. */
const warnMs = 250;
/** The thread is at rest when it has computed less than so much, in milliseconds of so many seconds each. */
const rest = { computedMs: 50, seconds: 3 };
/** It leaves garbage behind when it has computed so much before, in milliseconds. */
const muchMs = 1_000;
/** Lines of the log are at least so many milliseconds apart. */
const quietMs = 60_000;
/** Milliseconds after the start without a line: the process loads modules, and V8 compiles them. */
const startMs = 10_000;

interface LoopMonitorOptions {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The name of the process in the log. */
  readonly process: string;
  /** Called each second with the longest delay in it, in seconds. */
  readonly onDelay: (seconds: number) => void;
  /** Called when the thread comes to rest after much work. */
  readonly onRest?: () => void;
  /** The longest delay since the last call, in milliseconds. Replaced in tests, as the next two are. */
  readonly takeDelay?: () => number;
  /** Milliseconds that this thread has computed. */
  readonly computedMs?: () => number;
  readonly work?: LoopWork;
}

/** Watches the delay of this thread's event loop, and tells the operator what held it. Works until it is disposed. */
export class LoopMonitor implements Disposable {
  readonly #options: LoopMonitorOptions;
  readonly #work: LoopWork;
  readonly #takeDelay: () => number;
  readonly #computedMs: () => number;
  readonly #disposal = new DisposableStack();
  #timer: { cancel(): void } | undefined;
  #computed: number;
  #quietUntil: number;
  #untold = 0;
  /** Milliseconds computed since the thread was last at rest. */
  #sinceRest = 0;
  #restingSeconds = 0;

  constructor(options: LoopMonitorOptions) {
    this.#options = options;
    this.#work = options.work ?? loopWork;
    this.#computedMs = options.computedMs ?? threadMs;
    this.#takeDelay = options.takeDelay ?? this.#sampled();
    this.#computed = this.#computedMs();
    this.#quietUntil = options.clock.elapsed() + startMs;
    this.#next();
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#disposal.dispose();
  }

  #sampled(): () => number {
    const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    histogram.enable();
    const collections = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#work.note('garbage collection', duration);
    });
    collections.observe({ entryTypes: ['gc'] });
    this.#disposal.defer(() => {
      histogram.disable();
      collections.disconnect();
    });
    return () => {
      const { max } = histogram;
      histogram.reset();
      return Math.max(0, max / 1e6 - resolutionMs);
    };
  }

  #next(): void {
    this.#timer = this.#options.clock.after(everyMs, () => {
      this.#look();
      this.#next();
    });
  }

  #look(): void {
    const { clock, log, process, onDelay } = this.#options;
    const delay = this.#takeDelay();
    const before = this.#computed;
    this.#computed = this.#computedMs();
    const { longest, during } = this.#work.take();
    onDelay(delay / 1000);
    const computedMs = this.#computed - before;
    this.#lookForRest(computedMs);
    // On a busy machine, the thread may only have waited for a processor.
    if (delay <= longestHoldMs || computedMs <= longestHoldMs) return;
    this.#untold += 1;
    if (clock.elapsed() < this.#quietUntil) return;
    this.#quietUntil = clock.elapsed() + quietMs;
    const isWarning = delay >= warnMs && computedMs >= warnMs;
    log[isWarning ? 'warn' : 'info']('the event loop was held', {
      process,
      heldMs: Math.round(delay),
      computedMs: Math.round(computedMs),
      ...(longest && { longest: longest.what, longestMs: Math.round(longest.ms) }),
      during: during.join(', '),
      times: this.#untold,
    });
    this.#untold = 0;
  }

  #lookForRest(computedMs: number): void {
    this.#sinceRest += computedMs;
    this.#restingSeconds = computedMs < rest.computedMs ? this.#restingSeconds + 1 : 0;
    if (this.#restingSeconds < rest.seconds || this.#sinceRest < muchMs) return;
    this.#sinceRest = 0;
    this.#options.onRest?.();
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
