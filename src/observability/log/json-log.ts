import { pino } from 'pino';
import { isLogged, type LogLevel } from '../../config/log-level.ts';
import { type Log, type LogFields, unicodeEscape } from '../../log.ts';
import { LineBuffer, type Sink } from './line-buffer.ts';
import type { LogRequest } from './request-line.ts';

/** A log of JSON lines. */
interface JsonLog extends Log {
  /** Absent where the level leaves requests out. */
  readonly request?: LogRequest;
  /** Hands everything over to the sink. */
  flush(): void;
}

/** Control characters that JSON leaves as they are, and line breaks of JavaScript: terminals may interpret them. */
const lateControls = /[\x7f-\x9f\u2028\u2029]/g;

/**
 * A log that writes one JSON object a line, by pino. Lines of requests are told a moment later, many at once; they are made
 * without pino, which takes twice as long for them (measured).
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
      // What is worth a warning may be the last that is ever said.
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

/** The present instant in ISO 8601. Many lines are of the same millisecond. */
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
