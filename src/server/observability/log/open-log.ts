import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type Log, plainLog } from '../../../base/terminal/log.ts';
import { isLogged, type LogLevel } from '../../../definitions/settings/log-settings.ts';
import { jsonLog } from './json-log.ts';
import type { LogRequest } from './request-line.ts';

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
