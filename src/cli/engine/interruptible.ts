import { constants } from 'node:os';
import { queryTimeout } from '../../definitions/endpoints/endpoint.ts';

/** Thrown by work that a signal has ended. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`ended by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs a command that undoes what it has begun when SIGINT (Ctrl-C) or SIGTERM arrives. A second one ends the process.
 *
 * @returns the exit code of the command, or that of a process that the signal has ended
 */
export async function interruptible(command: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  const onInterrupt = () => controller.abort(new Interrupted('SIGINT'));
  const onTerminate = () => controller.abort(new Interrupted('SIGTERM'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onTerminate);
  try {
    return await command(controller.signal);
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    throw error;
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  }
}

/**
 * Runs a query of a command, and aborts it after a time.
 *
 * @param timeoutMs in milliseconds
 * @throws GatewayError `QUERY_TIMEOUT`; the signal's reason
 */
export async function withinQueryTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  query: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(queryTimeout(timeoutMs)), timeoutMs);
  try {
    return await query(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
