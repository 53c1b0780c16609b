import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type Log, type LogFields, plainLog, unicodeEscape } from '../../base/terminal/log.ts';
import { isLogged, type LogLevel } from '../../definitions/settings/log-settings.ts';
import type { LogRequest } from '../http/request/request-log.ts';

/** The log of a process. */
export interface OpenLog {
  readonly log: Log;
  /** Absent where requests are not logged. */
  readonly request?: LogRequest;
  /** Messages for the operator who started the process. A JSON log contains each text as a line. */
  readonly operator: Pick<LogOptions, 'out' | 'err'>;
  /** Shows a secret to the operator. It never becomes part of a JSON log. */
  secret(message: string): void;
  /** Flushes the log, unless its reader is too slow. */
  close(): Promise<void>;
}

interface LogOptions {
  readonly format: 'json' | 'text';
  readonly level: LogLevel;
  /** Writes to standard output and standard error. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Maximum of buffered bytes for a slow reader. Further lines are dropped and counted. */
const maxWaitingBytes = 16_000_000;

/** How long flushing the last lines may take, in milliseconds. */
const lastLinesMs = 2_000;

/** Opens a log in the configured format. */
export function openLog(options: LogOptions): OpenLog {
  return options.format === 'json' ? openJsonLog(options) : openTextLog(options);
}

function openTextLog({ level, out, err }: LogOptions): OpenLog {
  const { info, warn, error } = plainLog(err);
  const quiet = () => {};
  return {
    log: {
      info,
      warn: isLogged('warn', level) ? warn : quiet,
      error: isLogged('error', level) ? error : quiet,
    },
    operator: { out, err },
    secret: (message) => out(`${message}\n`),
    close: async () => {},
  };
}

/**
 * Opens a log that threads write to standard output, so that a slow reader delays no request. The rest is written when
 * the process exits.
 */
function openJsonLog({ level, err }: LogOptions): OpenLog {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: maxWaitingBytes });
  let isWriting = false;
  const write = (text: string) => {
    isWriting = true;
    destination.write(text);
  };
  const log = jsonLog({ write }, level, Date.now);
  let lost = 0;
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('drain', () => {
    isWriting = false;
    if (lost === 0) return;
    const pieces = lost;
    lost = 0;
    log.warn('log lines were dropped because the output was not read in time', { pieces });
  });
  // The error can't be reported anywhere. The process continues without a log.
  destination.on('error', () => {});
  // Runs before pino's own listener, which writes its buffer, so that no exit loses lines, not even one after a defect.
  process.prependListener('exit', () => log.flush());
  return {
    log,
    ...(log.request && { request: log.request }),
    operator: { out: (text) => log.info(text.trimEnd()), err: (text) => log.error(text.trimEnd()) },
    secret: (message) => err(`${message}\n`),
    async close() {
      log.flush();
      if (!isWriting) return;
      const written = new Promise<void>((resolve) => destination.once('drain', resolve));
      await Promise.race([written, sleep(lastLinesMs, undefined, { ref: false })]);
    },
  };
}

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
