import { pino } from 'pino';
import { type Log, type LogFields, unicodeEscape } from '../../../base/terminal/log.ts';
import { isLogged, type LogLevel } from '../../../definitions/settings/log-settings.ts';
import type { LogRequest } from './request-line.ts';

/** Flushes once this many characters are buffered. */
const enoughLength = 8_192;

/** Maximum delay of a line, in milliseconds. */
const maxWaitMs = 20;

/** Buffers lines and writes them together: one write per line cost more than making the line (measured). */
class LineBuffer {
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

/** A log of JSON lines. */
interface JsonLog extends Log {
  /** Absent if the level excludes requests. */
  readonly request?: LogRequest;
  /** Flushes the buffer to the sink. */
  flush(): void;
}

/** Control characters and line breaks that JSON does not escape but terminals may interpret. */
const lateControls = /[\x7f-\x9f\u2028\u2029]/g;

/**
 * Creates a log that writes one JSON object per line, by pino. Request lines are buffered briefly and built without
 * pino, which takes twice as long for them (measured).
 *
 * @param now in milliseconds since the epoch
 */
export function jsonLog(sink: Sink, level: LogLevel, now: () => number): JsonLog {
  const buffer = new LineBuffer(sink);
  const time = instantText(now);
  const logger = pino(
    {
      base: null,
      level,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${time()}"`,
    },
    { write: (line) => buffer.write(line.replace(lateControls, unicodeEscape)) },
  );
  const line =
    (severity: 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) => {
      logger[severity](fields, message);
      // These lines may be the last ones before a crash.
      buffer.flush();
    };
  return {
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    ...(isLogged('info', level) && {
      request: (request) =>
        buffer.write(
          `{"level":"info","time":"${time()}","msg":"request",${JSON.stringify(request).slice(1)}\n`,
        ),
    }),
    flush: () => buffer.flush(),
  };
}

/** Returns a function that gives the current time in ISO 8601. Many lines are of the same millisecond. */
function instantText(now: () => number): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const current = now();
    if (current !== at) {
      at = current;
      text = new Date(current).toISOString();
    }
    return text;
  };
}

/** The destination of log lines. */
interface Sink {
  write(text: string): unknown;
}
